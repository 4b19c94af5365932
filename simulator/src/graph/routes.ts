import { getAccount, listPhoneNumbers } from './accounts.ts'
import { getApp, getBusiness, listClientAccounts } from './businesses.ts'
import type { Endpoint } from './call.ts'
import { manageCall } from './calls.ts'
import { syncAppData } from './coexistence.ts'
import { deleteMedia, getMedia, uploadMedia } from './media.ts'
import { postMessage } from './messages.ts'
import type { NodeKind } from './nodes.ts'
import { debugToken, exchangeCode } from './oauth.ts'
import { getPhone, requestCode, updatePhone, verifyCode } from './phones.ts'
import { getProfile, updateProfile } from './profile.ts'
import { deregister, register } from './registration.ts'
import {
  listAppSubscriptions,
  listSubscribedApps,
  subscribe,
  subscribeApp,
  unsubscribe,
  unsubscribeApp,
} from './subscriptions.ts'
import { createTemplate, deleteTemplates, editTemplate, getTemplate, listTemplates } from './templates.ts'
import { continueUpload, getUpload, startUpload } from './uploads.ts'

type Scope = 'whatsapp_business_messaging' | 'whatsapp_business_management'

export interface Route {
  method: string
  node: NodeKind
  /** The second path segment; empty for the node itself. */
  edge: string
  run: Endpoint
  scope?: Scope
  /** Management calls count against the hourly limit of their account and say so in a header. */
  isManagement?: true
  /** The endpoint reads the body itself, as bytes. */
  isRaw?: true
}

const messaging = { scope: 'whatsapp_business_messaging' } as const
const management = { scope: 'whatsapp_business_management' } as const
const counted = { scope: 'whatsapp_business_management', isManagement: true } as const

/** The whole of the simulated Graph API. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', node: 'phone', edge: 'messages', run: postMessage, ...messaging },
  { method: 'POST', node: 'phone', edge: 'media', run: uploadMedia, ...messaging, isRaw: true },
  { method: 'GET', node: 'media', edge: '', run: getMedia, ...messaging },
  { method: 'DELETE', node: 'media', edge: '', run: deleteMedia, ...messaging },

  { method: 'GET', node: 'phone', edge: '', run: getPhone, ...counted },
  { method: 'POST', node: 'phone', edge: '', run: updatePhone, ...counted },
  { method: 'POST', node: 'phone', edge: 'register', run: register, ...management },
  { method: 'POST', node: 'phone', edge: 'deregister', run: deregister, ...management },
  { method: 'POST', node: 'phone', edge: 'request_code', run: requestCode, ...management },
  { method: 'POST', node: 'phone', edge: 'verify_code', run: verifyCode, ...management },
  { method: 'GET', node: 'phone', edge: 'whatsapp_business_profile', run: getProfile, ...messaging },
  { method: 'POST', node: 'phone', edge: 'whatsapp_business_profile', run: updateProfile, ...messaging },
  { method: 'POST', node: 'phone', edge: 'calls', run: manageCall, ...messaging },
  { method: 'POST', node: 'phone', edge: 'smb_app_data', run: syncAppData, ...messaging },

  { method: 'GET', node: 'account', edge: '', run: getAccount, ...counted },
  { method: 'GET', node: 'account', edge: 'phone_numbers', run: listPhoneNumbers, ...counted },
  { method: 'GET', node: 'account', edge: 'message_templates', run: listTemplates, ...counted },
  { method: 'POST', node: 'account', edge: 'message_templates', run: createTemplate, ...counted },
  { method: 'DELETE', node: 'account', edge: 'message_templates', run: deleteTemplates, ...counted },
  { method: 'GET', node: 'account', edge: 'subscribed_apps', run: listSubscribedApps, ...counted },
  { method: 'POST', node: 'account', edge: 'subscribed_apps', run: subscribe, ...counted },
  { method: 'DELETE', node: 'account', edge: 'subscribed_apps', run: unsubscribe, ...counted },
  { method: 'GET', node: 'template', edge: '', run: getTemplate, ...counted },
  { method: 'POST', node: 'template', edge: '', run: editTemplate, ...counted },

  { method: 'GET', node: 'business', edge: '', run: getBusiness, ...management },
  {
    method: 'GET',
    node: 'business',
    edge: 'client_whatsapp_business_accounts',
    run: listClientAccounts,
    ...management,
  },
  { method: 'GET', node: 'app', edge: '', run: getApp },
  { method: 'POST', node: 'app', edge: 'uploads', run: startUpload },
  { method: 'GET', node: 'app', edge: 'subscriptions', run: listAppSubscriptions },
  { method: 'POST', node: 'app', edge: 'subscriptions', run: subscribeApp },
  { method: 'DELETE', node: 'app', edge: 'subscriptions', run: unsubscribeApp },
  { method: 'GET', node: 'upload', edge: '', run: getUpload },
  { method: 'POST', node: 'upload', edge: '', run: continueUpload, isRaw: true },
  { method: 'GET', node: 'debug_token', edge: '', run: debugToken },
  { method: 'GET', node: 'oauth', edge: 'access_token', run: exchangeCode },
  { method: 'POST', node: 'oauth', edge: 'access_token', run: exchangeCode },
]

import { getAccount, listPhoneNumbers } from '../accounts/accounts.ts'
import { debugToken, exchangeCode } from '../accounts/oauth.ts'
import { listSubscribedApps, subscribe, subscribeApp } from '../accounts/subscriptions.ts'
import { getMedia, uploadMedia } from '../media/media.ts'
import { continueUpload, startUpload } from '../media/uploads.ts'
import { postMessage } from '../messages/messages.ts'
import { manageCall } from '../phones/calls.ts'
import { syncAppData } from '../phones/coexistence.ts'
import { getPhone } from '../phones/phones.ts'
import { getProfile, updateProfile } from '../phones/profile.ts'
import { deregister, register } from '../phones/registration.ts'
import { createTemplate, deleteTemplates, listTemplates } from '../templates/templates.ts'
import type { Endpoint } from './call.ts'
import type { NodeKind } from './nodes.ts'

type Scope = 'whatsapp_business_messaging' | 'whatsapp_business_management'

export interface Route {
  method: string
  node: NodeKind
  /** The second path segment; empty for the node itself. */
  edge: string
  run: Endpoint
  scope?: Scope
  /** The endpoint reads the body as a stream. */
  isRaw?: true
}

const messaging = { scope: 'whatsapp_business_messaging' } as const
const management = { scope: 'whatsapp_business_management' } as const

/** Every endpoint of the simulated Graph API. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', node: 'phone', edge: 'messages', run: postMessage, ...messaging },
  { method: 'POST', node: 'phone', edge: 'media', run: uploadMedia, ...messaging, isRaw: true },
  { method: 'GET', node: 'media', edge: '', run: getMedia, ...messaging },

  { method: 'GET', node: 'phone', edge: '', run: getPhone, ...management },
  { method: 'POST', node: 'phone', edge: 'register', run: register, ...management },
  { method: 'POST', node: 'phone', edge: 'deregister', run: deregister, ...management },
  { method: 'GET', node: 'phone', edge: 'whatsapp_business_profile', run: getProfile, ...messaging },
  { method: 'POST', node: 'phone', edge: 'whatsapp_business_profile', run: updateProfile, ...messaging },
  { method: 'POST', node: 'phone', edge: 'calls', run: manageCall, ...messaging },
  { method: 'POST', node: 'phone', edge: 'smb_app_data', run: syncAppData, ...messaging },

  { method: 'GET', node: 'account', edge: '', run: getAccount, ...management },
  { method: 'GET', node: 'account', edge: 'phone_numbers', run: listPhoneNumbers, ...management },
  { method: 'GET', node: 'account', edge: 'message_templates', run: listTemplates, ...management },
  { method: 'POST', node: 'account', edge: 'message_templates', run: createTemplate, ...management },
  { method: 'DELETE', node: 'account', edge: 'message_templates', run: deleteTemplates, ...management },
  { method: 'GET', node: 'account', edge: 'subscribed_apps', run: listSubscribedApps, ...management },
  { method: 'POST', node: 'account', edge: 'subscribed_apps', run: subscribe, ...management },

  { method: 'POST', node: 'app', edge: 'uploads', run: startUpload },
  { method: 'POST', node: 'app', edge: 'subscriptions', run: subscribeApp },
  { method: 'POST', node: 'upload', edge: '', run: continueUpload, isRaw: true },
  { method: 'GET', node: 'debug_token', edge: '', run: debugToken },
  { method: 'GET', node: 'oauth', edge: 'access_token', run: exchangeCode },
  { method: 'POST', node: 'oauth', edge: 'access_token', run: exchangeCode },
]

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
import type { Endpoint, NodeKind } from './call.ts'

type Scope = 'whatsapp_business_messaging' | 'whatsapp_business_management'

interface Options {
  scope?: Scope
  /** The endpoint reads the body as a stream. */
  isRaw?: true
}

export interface Route extends Options {
  method: string
  kind: NodeKind
  edge: string
  run: Endpoint<NodeKind>
}

const MESSAGING: Options = { scope: 'whatsapp_business_messaging' }
const MANAGEMENT: Options = { scope: 'whatsapp_business_management' }

/** `edge` is the second segment of the path; it is empty for the node itself. */
function route<Kind extends NodeKind>(
  method: string,
  kind: Kind,
  edge: string,
  run: Endpoint<Kind>,
  options?: Options,
): Route {
  return { method, kind, edge, run: run as Endpoint<NodeKind>, ...options }
}

/** Every endpoint of the simulated Graph API. */
export const ROUTES: readonly Route[] = [
  route('POST', 'phone', 'messages', postMessage, MESSAGING),
  route('POST', 'phone', 'media', uploadMedia, { ...MESSAGING, isRaw: true }),
  route('GET', 'media', '', getMedia, MESSAGING),

  route('GET', 'phone', '', getPhone, MANAGEMENT),
  route('POST', 'phone', 'register', register, MANAGEMENT),
  route('POST', 'phone', 'deregister', deregister, MANAGEMENT),
  route('GET', 'phone', 'whatsapp_business_profile', getProfile, MESSAGING),
  route('POST', 'phone', 'whatsapp_business_profile', updateProfile, MESSAGING),
  route('POST', 'phone', 'calls', manageCall, MESSAGING),
  route('POST', 'phone', 'smb_app_data', syncAppData, MESSAGING),

  route('GET', 'account', '', getAccount, MANAGEMENT),
  route('GET', 'account', 'phone_numbers', listPhoneNumbers, MANAGEMENT),
  route('GET', 'account', 'message_templates', listTemplates, MANAGEMENT),
  route('POST', 'account', 'message_templates', createTemplate, MANAGEMENT),
  route('DELETE', 'account', 'message_templates', deleteTemplates, MANAGEMENT),
  route('GET', 'account', 'subscribed_apps', listSubscribedApps, MANAGEMENT),
  route('POST', 'account', 'subscribed_apps', subscribe, MANAGEMENT),

  route('POST', 'app', 'uploads', startUpload),
  route('POST', 'app', 'subscriptions', subscribeApp),
  route('POST', 'upload', '', continueUpload, { isRaw: true }),
  route('GET', 'debug_token', '', debugToken),
  route('GET', 'oauth', 'access_token', exchangeCode),
  route('POST', 'oauth', 'access_token', exchangeCode),
]

import { getAccount, listPhoneNumbers } from '../accounts/accounts.ts'
import { debugToken, exchangeCode } from '../accounts/oauth.ts'
import { listSubscribedApps, subscribe, subscribeApp } from '../accounts/subscriptions.ts'
import { deleteMedia, getMedia, uploadMedia } from '../media/media.ts'
import { continueUpload, getUpload, startUpload } from '../media/uploads.ts'
import { postMarketingMessage } from '../messages/marketing-messages.ts'
import { postMessage } from '../messages/messages.ts'
import { setAutomation } from '../phones/automation.ts'
import { blockUsers, listBlockedUsers, unblockUsers } from '../phones/block-list.ts'
import { getCallingSettings, setCallingSettings } from '../phones/calling-settings.ts'
import { manageCall } from '../phones/calls.ts'
import { syncAppData } from '../phones/coexistence.ts'
import { getCommerceSettings, setCommerceSettings } from '../phones/commerce.ts'
import { getPublicKey, setPublicKey } from '../phones/encryption.ts'
import { updatePhone } from '../phones/phone-updates.ts'
import { getPhone } from '../phones/phones.ts'
import { getProfile, updateProfile } from '../phones/profile.ts'
import { deleteQrCode, getQrCode, listQrCodes, saveQrCode } from '../phones/qr-codes.ts'
import { deregister, register } from '../phones/registration.ts'
import { deleteUsername, getUsername, setUsername } from '../phones/username.ts'
import { editTemplate } from '../templates/template-edits.ts'
import { createTemplate, deleteTemplates, getTemplate, listTemplates } from '../templates/templates.ts'
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

/** `edge` is the second segment of the path; it is empty for the node itself, and ends in `/*` for an item of the edge. */
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
  route('POST', 'phone', 'marketing_messages', postMarketingMessage, MESSAGING),
  route('POST', 'phone', 'media', uploadMedia, { ...MESSAGING, isRaw: true }),
  route('GET', 'media', '', getMedia, MESSAGING),
  route('DELETE', 'media', '', deleteMedia, MESSAGING),

  route('GET', 'phone', '', getPhone, MANAGEMENT),
  route('POST', 'phone', '', updatePhone, MANAGEMENT),
  route('POST', 'phone', 'register', register, MANAGEMENT),
  route('POST', 'phone', 'deregister', deregister, MANAGEMENT),
  route('GET', 'phone', 'whatsapp_business_profile', getProfile, MESSAGING),
  route('POST', 'phone', 'whatsapp_business_profile', updateProfile, MESSAGING),
  route('POST', 'phone', 'calls', manageCall, MESSAGING),
  route('POST', 'phone', 'smb_app_data', syncAppData, MESSAGING),

  route('GET', 'phone', 'block_users', listBlockedUsers, MESSAGING),
  route('POST', 'phone', 'block_users', blockUsers, MESSAGING),
  route('DELETE', 'phone', 'block_users', unblockUsers, MESSAGING),
  route('GET', 'phone', 'message_qrdls', listQrCodes, MANAGEMENT),
  route('POST', 'phone', 'message_qrdls', saveQrCode, MANAGEMENT),
  route('GET', 'phone', 'message_qrdls/*', getQrCode, MANAGEMENT),
  route('DELETE', 'phone', 'message_qrdls/*', deleteQrCode, MANAGEMENT),
  route('POST', 'phone', 'conversational_automation', setAutomation, MANAGEMENT),
  route('GET', 'phone', 'whatsapp_commerce_settings', getCommerceSettings, MANAGEMENT),
  route('POST', 'phone', 'whatsapp_commerce_settings', setCommerceSettings, MANAGEMENT),
  route('GET', 'phone', 'whatsapp_business_encryption', getPublicKey, MESSAGING),
  route('POST', 'phone', 'whatsapp_business_encryption', setPublicKey, MESSAGING),
  route('GET', 'phone', 'settings', getCallingSettings, MANAGEMENT),
  route('POST', 'phone', 'settings', setCallingSettings, MANAGEMENT),
  route('GET', 'phone', 'username', getUsername, MANAGEMENT),
  route('POST', 'phone', 'username', setUsername, MANAGEMENT),
  route('DELETE', 'phone', 'username', deleteUsername, MANAGEMENT),

  route('GET', 'account', '', getAccount, MANAGEMENT),
  route('GET', 'account', 'phone_numbers', listPhoneNumbers, MANAGEMENT),
  route('GET', 'account', 'message_templates', listTemplates, MANAGEMENT),
  route('POST', 'account', 'message_templates', createTemplate, MANAGEMENT),
  route('DELETE', 'account', 'message_templates', deleteTemplates, MANAGEMENT),
  route('GET', 'template', '', getTemplate, MANAGEMENT),
  route('POST', 'template', '', editTemplate, MANAGEMENT),
  route('GET', 'account', 'subscribed_apps', listSubscribedApps, MANAGEMENT),
  route('POST', 'account', 'subscribed_apps', subscribe, MANAGEMENT),

  route('POST', 'app', 'uploads', startUpload),
  route('POST', 'app', 'subscriptions', subscribeApp),
  route('POST', 'upload', '', continueUpload, { isRaw: true }),
  route('GET', 'upload', '', getUpload),
  route('GET', 'debug_token', '', debugToken),
  route('GET', 'oauth', 'access_token', exchangeCode),
  route('POST', 'oauth', 'access_token', exchangeCode),
]

/** The edges whose items have paths. */
export const ITEM_EDGES: ReadonlySet<string> = new Set(
  ROUTES.flatMap(({ edge }) => (edge.endsWith('/*') ? [edge.slice(0, -'/*'.length)] : [])),
)

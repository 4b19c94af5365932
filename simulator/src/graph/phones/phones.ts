import type { Json } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, getPhoneAccount } from '../http/call.ts'
import { invalid, required } from '../http/errors.ts'
import { type Members, selectFields } from '../http/fields.ts'
import type { Phone } from '../model.ts'
import { getNumberSettings } from './number-settings.ts'

const DEFAULTS = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'last_onboarded_time',
  'webhook_configuration',
]

export const getPhone: Endpoint<'phone'> = (graph, { node, params }) => phoneNode(graph, node, params.fields)

export function phoneNode(graph: Graph, phone: Phone, fields: Json) {
  return selectFields(phoneMembers(graph, phone), fields, DEFAULTS, 'WhatsAppBusinessPhoneNumber')
}

/** Nodes show `+55 11 99999-0000`; webhooks have only the digits. */
export function displayNumber(digits: string): string {
  const [, country = '', area = '', first = '', last = ''] = /^(1|5\d|\d{2})(\d{2,3}?)(\d+)(\d{4})$/.exec(digits) ?? []
  return `+${country} ${area} ${first}-${last}`
}

function phoneMembers(graph: Graph, phone: Phone): Members {
  const account = () => getPhoneAccount(graph, phone)
  const { url } = graph.webhooks.callback
  return {
    id: () => phone.id,
    display_phone_number: () => displayNumber(phone.digits),
    verified_name: () => phone.verifiedName,
    status: () => (account().isLocked ? 'BANNED' : phone.status),
    quality_rating: () => phone.quality,
    quality_score: () => ({ score: phone.quality }),
    name_status: () => phone.nameStatus,
    new_name_status: () => 'NONE',
    code_verification_status: () => phone.codeVerification,
    account_mode: () => 'LIVE',
    platform_type: () => (phone.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
    is_on_biz_app: () => phone.isOnBizApp,
    is_official_business_account: () => false,
    is_pin_enabled: () => phone.pin !== undefined,
    is_preverified_number: () => false,
    throughput: () => ({ level: phone.isRegistered ? phone.throughput : 'NOT_APPLICABLE' }),
    messaging_limit_tier: () => account().messagingLimit,
    whatsapp_business_manager_messaging_limit: () => account().messagingLimit,
    health_status: () => healthStatus(graph, phone),
    webhook_configuration: () => {
      const number = getNumberSettings(graph, phone).callbackUrl
      const { callbackUrl } = account()
      if ([number, callbackUrl, url].every((each) => each === undefined)) return undefined
      return { phone_number: number, whatsapp_business_account: callbackUrl, application: url }
    },
    last_onboarded_time: () => new Date(phone.onboardedAt).toISOString().replace(/\.\d+Z$/, '+0000'),
    certificate: () => undefined,
    search_visibility: () => 'VISIBLE',
    username: () => getNumberSettings(graph, phone).username,
    conversational_automation: () => getNumberSettings(graph, phone).automation,
  }
}

function healthStatus(graph: Graph, phone: Phone) {
  const account = getPhoneAccount(graph, phone)
  const number = phone.isRegistered ? 'AVAILABLE' : 'BLOCKED'
  const whole = account.isLocked ? 'BLOCKED' : 'AVAILABLE'
  const entities = [
    { entity_type: 'PHONE_NUMBER', id: phone.id, can_send_message: number },
    { entity_type: 'WABA', id: account.id, can_send_message: whole },
    { entity_type: 'BUSINESS', id: account.businessId, can_send_message: 'AVAILABLE' },
    { entity_type: 'APP', id: graph.app.id, can_send_message: 'AVAILABLE' },
  ]
  return { can_send_message: number === whole ? number : 'BLOCKED', entities }
}

export function parsePin(pin: Json): string {
  if (pin === undefined) throw required('pin')
  if (typeof pin !== 'string' || !/^[0-9]{6}$/.test(pin)) {
    throw invalid('Param pin must be a string of exactly 6 digits.')
  }
  return pin
}

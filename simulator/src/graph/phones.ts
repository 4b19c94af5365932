import { asObject, asText, type Json } from '../json.ts'
import { accountOfPhone, type Endpoint, phoneOf, SUCCESS } from './call.ts'
import { challenge } from './callbacks.ts'
import type { Graph } from './context.ts'
import { GraphError, invalid, required } from './errors.ts'
import { type Members, project } from './fields.ts'
import type { Phone } from './model.ts'

const OVERRIDE_URL_MAX = 200
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

export const getPhone: Endpoint = (graph, call) => ({
  body: phoneNode(graph, phoneOf(graph, call), call.params.fields),
})

export function phoneNode(graph: Graph, phone: Phone, fields: Json) {
  return project(phoneMembers(graph, phone), fields, DEFAULTS, 'WhatsAppBusinessPhoneNumber')
}

/** People read `+55 11 99999-0000`; webhooks carry the bare digits. */
export function displayNumber(digits: string): string {
  const [, country = '', area = '', first = '', last = ''] = /^(1|5\d|\d{2})(\d{2,3}?)(\d+)(\d{4})$/.exec(digits) ?? []
  return `+${country} ${area} ${first}-${last}`
}

function phoneMembers(graph: Graph, phone: Phone): Members {
  const account = () => accountOfPhone(graph, phone)
  return {
    id: () => phone.id,
    display_phone_number: () => displayNumber(phone.digits),
    verified_name: () => phone.verifiedName,
    status: () => phone.status,
    quality_rating: () => phone.quality,
    quality_score: () => ({ score: phone.quality }),
    name_status: () => phone.nameStatus,
    new_name_status: () => 'NONE',
    code_verification_status: () => phone.codeVerification,
    account_mode: () => phone.accountMode,
    platform_type: () => (phone.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
    is_on_biz_app: () => phone.isOnBizApp,
    is_official_business_account: () => false,
    is_pin_enabled: () => phone.pin !== undefined,
    is_preverified_number: () => false,
    throughput: () => ({ level: phone.isRegistered ? phone.throughput : 'NOT_APPLICABLE' }),
    messaging_limit_tier: () => account().messagingLimit,
    whatsapp_business_manager_messaging_limit: () => account().messagingLimit,
    health_status: () => healthStatus(graph, phone),
    webhook_configuration: () => webhookConfiguration(graph, phone),
    last_onboarded_time: () => new Date(phone.onboardedAt).toISOString().replace(/\.\d+Z$/, '+0000'),
    certificate: () => undefined,
    search_visibility: () => 'VISIBLE',
    username: () => undefined,
  }
}

function webhookConfiguration(graph: Graph, phone: Phone) {
  const configuration = {
    phone_number: phone.callbackOverride,
    whatsapp_business_account: accountOfPhone(graph, phone).subscription?.url,
    application: graph.webhooks.callback.url,
  }
  return Object.values(configuration).some(Boolean) ? configuration : undefined
}

function healthStatus(graph: Graph, phone: Phone) {
  const account = accountOfPhone(graph, phone)
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

/** Sets the two-step PIN, or where this number's webhooks go. */
export const updatePhone: Endpoint = async (graph, call) => {
  const phone = phoneOf(graph, call)
  const { pin, webhook_configuration: configuration } = call.params
  if (pin !== undefined) changePin(graph, phone, checkedPin(pin))
  if (configuration !== undefined) await overrideCallback(graph, phone, configuration)
  if (pin === undefined && configuration === undefined) throw required('pin')
  return SUCCESS
}

function changePin(graph: Graph, phone: Phone, pin: string): void {
  phone.pin = pin
  graph.webhooks.emit({
    entryId: phone.wabaId,
    wabaId: phone.wabaId,
    isTimed: true,
    field: 'security',
    value: { display_phone_number: phone.digits, event: 'PIN_CHANGED', requester: graph.app.id },
  })
}

async function overrideCallback(graph: Graph, phone: Phone, configuration: Json): Promise<void> {
  const { override_callback_uri: uri, verify_token: verifyToken } = asObject(configuration)
  const url = asText(uri)
  if (url.length > OVERRIDE_URL_MAX) {
    throw invalid(`Param override_callback_uri must be at most ${OVERRIDE_URL_MAX} characters long.`)
  }
  if (url !== '') await challenge(url, asText(verifyToken), graph.random.digits(10), graph.app)
  phone.callbackOverride = url === '' ? undefined : url
}

export function checkedPin(pin: Json): string {
  if (pin === undefined) throw required('pin')
  if (typeof pin !== 'string' || !/^[0-9]{6}$/.test(pin)) {
    throw invalid('Param pin must be a string of exactly 6 digits.')
  }
  return pin
}

export const requestCode: Endpoint = (graph, call) => {
  const phone = phoneOf(graph, call)
  if (!['SMS', 'VOICE'].includes(asText(call.params.code_method))) {
    throw invalid('Param code_method must be one of {SMS, VOICE}')
  }
  if (asText(call.params.language) === '') throw required('language')
  phone.verificationCode = graph.random.digits(6)
  return SUCCESS
}

export const verifyCode: Endpoint = (graph, call) => {
  const phone = phoneOf(graph, call)
  const code = asText(call.params.code).replace('-', '')
  if (phone.verificationCode === undefined || code !== phone.verificationCode) {
    throw new GraphError(400, { message: '(#136025) Verify code error', code: 136025 })
  }
  phone.verificationCode = undefined
  phone.codeVerification = 'VERIFIED'
  return SUCCESS
}

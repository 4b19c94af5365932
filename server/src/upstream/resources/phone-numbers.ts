import { isObject, type JsonObject, toList, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { readSuccess, type Success } from './success.ts'

export const PHONE_NUMBER_FIELDS = [
  'id',
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'status',
  'is_on_biz_app',
  'platform_type',
  'name_status',
  'throughput',
]

export type PhoneNumber = {
  id: string
  display_phone_number: string | null
  verified_name: string | null
  quality_rating: string | null
  status: string | null
  is_on_biz_app: boolean | null
  platform_type: string | null
  name_status: string | null
  throughput: { level: string | null } | null
  health_status: HealthStatus | null
}

export type HealthStatus = { can_send_message: string | null; entities: JsonObject[] }

/** The callbacks of a number, of its account and of the app: the first one that exists receives messages. */
export type CallbackUrls = {
  phone_number: string | null
  whatsapp_business_account: string | null
  application: string | null
}

/** A number on the business app can transfer its contacts and its history, each once. */
type SyncType = 'smb_app_state_sync' | 'history'

export function createPhoneNumberCalls({ call }: UpstreamClient) {
  return {
    get: (token: string, phoneNumberId: string): Promise<Result<PhoneNumber>> =>
      call({
        name: 'phoneNumbers.get',
        method: 'GET',
        to: [phoneNumberId],
        query: { fields: [...PHONE_NUMBER_FIELDS, 'health_status'].join(',') },
        token,
        read: readPhoneNumber,
      }),

    getCallbackUrls: (token: string, phoneNumberId: string): Promise<Result<CallbackUrls>> =>
      call({
        name: 'phoneNumbers.getCallbackUrls',
        method: 'GET',
        to: [phoneNumberId],
        query: { fields: 'id,webhook_configuration' },
        token,
        read: readCallbackUrls,
      }),

    register: (token: string, phoneNumberId: string, pin: string): Promise<Result<Success>> =>
      call({
        name: 'phoneNumbers.register',
        method: 'POST',
        to: [phoneNumberId, 'register'],
        json: { messaging_product: 'whatsapp', pin },
        token,
        read: readSuccess,
      }),

    deregister: (token: string, phoneNumberId: string): Promise<Result<Success>> =>
      call({
        name: 'phoneNumbers.deregister',
        method: 'POST',
        to: [phoneNumberId, 'deregister'],
        token,
        read: readSuccess,
      }),

    sync: (token: string, phoneNumberId: string, type: SyncType): Promise<Result<{ request_id: string | null }>> =>
      call({
        name: 'phoneNumbers.sync',
        method: 'POST',
        to: [phoneNumberId, 'smb_app_data'],
        json: { messaging_product: 'whatsapp', sync_type: type },
        token,
        read: (body) => (isObject(body) ? { request_id: toText(body.request_id) } : undefined),
      }),
  }
}

export function readPhoneNumber(body: unknown): PhoneNumber | undefined {
  const id = isObject(body) ? toText(body.id) : null
  if (!isObject(body) || id === null) return undefined
  return {
    id,
    display_phone_number: toText(body.display_phone_number),
    verified_name: toText(body.verified_name),
    quality_rating: toText(body.quality_rating),
    status: toText(body.status),
    is_on_biz_app: typeof body.is_on_biz_app === 'boolean' ? body.is_on_biz_app : null,
    platform_type: toText(body.platform_type),
    name_status: toText(body.name_status),
    throughput: isObject(body.throughput) ? { level: toText(body.throughput.level) } : null,
    health_status: readHealth(body.health_status),
  }
}

function readCallbackUrls(body: unknown): CallbackUrls | undefined {
  if (!isObject(body) || toText(body.id) === null) return undefined
  const urls = isObject(body.webhook_configuration) ? body.webhook_configuration : {}
  return {
    phone_number: toUrlOrNull(urls.phone_number),
    whatsapp_business_account: toUrlOrNull(urls.whatsapp_business_account),
    application: toUrlOrNull(urls.application),
  }
}

/** A callback that was removed may be an empty text. */
function toUrlOrNull(value: unknown): string | null {
  return toText(value) || null
}

export function readHealth(value: unknown): HealthStatus | null {
  if (!isObject(value)) return null
  return { can_send_message: toText(value.can_send_message), entities: toList(value.entities).filter(isObject) }
}

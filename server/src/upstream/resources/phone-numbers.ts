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

export function readHealth(value: unknown): HealthStatus | null {
  if (!isObject(value)) return null
  return { can_send_message: toText(value.can_send_message), entities: toList(value.entities).filter(isObject) }
}

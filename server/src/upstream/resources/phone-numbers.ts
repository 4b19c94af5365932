import { isObject, type JsonObject, toList, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Deadline } from '../http/deadline.ts'
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

/** A callback that a number has in place of the app's, where a field can be sent elsewhere. */
export type OwnCallback = { callbackUrl: string; verifyToken: string }

/** A number on the business app can transfer its contacts and its history, each once. */
type SyncType = 'smb_app_state_sync' | 'history'

/** Both calls that remove an address: a deletion waits for them, and they may fail. */
const REMOVAL_MS = 3000

export function createPhoneNumberCalls({ call, newDeadline }: UpstreamClient) {
  const getCallbackUrls = (token: string, phoneNumberId: string, deadline?: Deadline): Promise<Result<CallbackUrls>> =>
    call({
      name: 'phoneNumbers.getCallbackUrls',
      method: 'GET',
      to: [phoneNumberId],
      query: { fields: 'id,webhook_configuration' },
      token,
      ...(deadline && { deadline }),
      read: readCallbackUrls,
    })

  return {
    getCallbackUrls: (token: string, phoneNumberId: string) => getCallbackUrls(token, phoneNumberId),

    /** Sends the callbacks of the number to an address of its own, which the upstream calls with a challenge first. */
    setCallbackUrl: (token: string, phoneNumberId: string, own: OwnCallback): Promise<Result<Success>> =>
      call({
        name: 'phoneNumbers.setCallbackUrl',
        method: 'POST',
        to: [phoneNumberId],
        json: { webhook_configuration: { override_callback_uri: own.callbackUrl, verify_token: own.verifyToken } },
        secrets: [own.verifyToken],
        token,
        read: readSuccess,
      }),

    /** Removes the number's own address if it is this one, within a few seconds. */
    async removeCallbackUrl(token: string, phoneNumberId: string, callbackUrl: string): Promise<Result<Success>> {
      using deadline = newDeadline(REMOVAL_MS)
      const found = await getCallbackUrls(token, phoneNumberId, deadline)
      if (!found.ok) return found
      if (found.value.phone_number !== callbackUrl) return { ok: true, value: { success: true } }
      return await call({
        name: 'phoneNumbers.removeCallbackUrl',
        method: 'POST',
        to: [phoneNumberId],
        json: { webhook_configuration: { override_callback_uri: '' } },
        token,
        deadline,
        read: readSuccess,
      })
    },

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

import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/json/values.ts'
import { upstreamRefused } from '../../../upstream/api-error.ts'
import type { AcceptedMessage } from '../schemas.ts'
import type { MessageError } from '../status.ts'
import type { IdempotencyRecord } from './reservation-store.ts'

/** The result of a send, for each request with its Idempotency-Key. The states of a key are in service.ts. */
export type KeyedSendResult =
  | { kind: 'accepted'; message: AcceptedMessage }
  | { kind: 'refused'; error: MessageError }
  | { kind: 'in-progress' }
  | { kind: 'unknown'; messageId: string }
  | { kind: 'other-body' }

/** A send whose log entry retention has deleted has an unknown outcome. The same body has the same recipient. */
export function toKeyedSendResult(
  record: IdempotencyRecord,
  request: { channelId: string; bodyHash: Buffer; address: string },
): KeyedSendResult {
  const { message_id: id, status, type, upstream_message_id, accepted_contact: contact, error, created_at } = record
  if (!record.body_hash.equals(request.bodyHash)) return { kind: 'other-body' }
  if (upstream_message_id !== null && type !== null && created_at !== null) {
    const message = { id, channel_id: request.channelId, status: 'accepted' as const, to: request.address, type }
    return { kind: 'accepted', message: { ...message, upstream_message_id, contact, created_at } }
  }
  if (status === 'failed' && error) return { kind: 'refused', error }
  return record.is_in_progress ? { kind: 'in-progress' } : { kind: 'unknown', messageId: id }
}

/** Returns the accepted message, or throws the error of any other result. */
export function toAcceptedMessage(result: KeyedSendResult): AcceptedMessage {
  if (result.kind === 'accepted') return result.message
  if (result.kind === 'refused') {
    const { code, error_subcode = null, title, details, fbtrace_id = null } = result.error
    throw upstreamRefused({ code, error_subcode, title, details, fbtrace_id })
  }
  if (result.kind === 'in-progress') {
    throw new AppError('OPERATION_IN_PROGRESS', 'send_in_progress')
  }
  if (result.kind === 'unknown') throw resultUnknown(result.messageId)
  throw new AppError('IDEMPOTENCY_KEY_REUSED', 'key_of_another_message')
}

export function resultUnknown(messageId: string): AppError {
  return new AppError('SEND_RESULT_UNKNOWN', 'send_result_unknown', { details: { message_id: messageId } })
}

/** Hashes the JSON value of a body, so the order of members and white space make no difference. */
export function hashBody(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(body, (_name, value) => (isObject(value) ? sortMembers(value) : value)))
    .digest()
}

function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

import { AppError } from '../../kernel/errors.ts'
import type { AcceptedMessage } from './schemas.ts'
import type { MessageError } from './status.ts'

/** The result of a send, as a request with its Idempotency-Key learns it. The states are in service.ts. */
export type SendResult =
  | { kind: 'accepted'; message: AcceptedMessage }
  | { kind: 'refused'; error: MessageError }
  | { kind: 'under-way' }
  | { kind: 'unknown'; messageId: string }
  | { kind: 'other-body' }

type IdempotencyRecord = {
  body_hash: Buffer
  message_id: string
  status: string | null
  type: string | null
  recipient: string | null
  upstream_message_id: string | null
  error: MessageError | null
  created_at: string | null
  is_under_way: boolean
}

/** The outcome of a send is unknown once retention has dropped its log entry. */
export function toSendResult(record: IdempotencyRecord, asked: { channelId: string; bodyHash: Buffer }): SendResult {
  const { message_id: id, status, type, recipient: to, upstream_message_id, error, created_at } = record
  if (!record.body_hash.equals(asked.bodyHash)) return { kind: 'other-body' }
  if (upstream_message_id !== null && type !== null && to !== null && created_at !== null) {
    const message = { id, channel_id: asked.channelId, status: 'accepted' as const, to, type }
    return { kind: 'accepted', message: { ...message, upstream_message_id, created_at } }
  }
  if (status === 'failed' && error) return { kind: 'refused', error }
  return record.is_under_way ? { kind: 'under-way' } : { kind: 'unknown', messageId: id }
}

/** The answer as the caller gets it. */
export function toAcceptedMessage(answer: SendResult): AcceptedMessage {
  if (answer.kind === 'accepted') return answer.message
  if (answer.kind === 'refused') {
    const { code, error_subcode = null, title, details, fbtrace_id = null } = answer.error
    throw new AppError('UPSTREAM_REJECTED', `The upstream refused: ${title ?? 'no reason given'}`, {
      details: { code, error_subcode, title, details, fbtrace_id },
    })
  }
  if (answer.kind === 'under-way') {
    throw new AppError('OPERATION_IN_PROGRESS', 'A send with this Idempotency-Key is still running. Ask again with it.')
  }
  if (answer.kind === 'unknown') throw resultUnknown(answer.messageId)
  const message = 'This Idempotency-Key was used with another body. Use a key of its own for each message.'
  throw new AppError('IDEMPOTENCY_KEY_REUSED', message)
}

export function resultUnknown(messageId: string): AppError {
  const message =
    'It is not known yet whether this message was sent. Look it up in the message log; do not send it again with another key.'
  return new AppError('SEND_RESULT_UNKNOWN', message, { details: { message_id: messageId } })
}

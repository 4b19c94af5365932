import { invalidRequest } from '../../kernel/errors.ts'
import { toExactText } from '../../kernel/json/exact.ts'
import type { JsonObject } from '../../kernel/json/values.ts'

const OPAQUE_LENGTH_MAX = 512
const NAME_LENGTH_MAX = 256
const TYPE = /^\w{1,64}$/

/** What the log keeps of a message before anybody has answered. */
export type MessageDraft = {
  type: string
  /** Digits alone where it is a phone number, however it was written. */
  to: string | null
  userId: string | null
  content: unknown
  /** The client's own name for the send, if it is one by which the send can be known again. */
  opaque: string | null
}

/** Read receipts and typing come the same way as messages, and send nothing. */
export function isReceipt(body: JsonObject): boolean {
  if (body.status === undefined) return false
  if (body.to === undefined && body.recipient === undefined) return true
  const message = 'must not stand beside a recipient: a receipt has none, and a message has no status'
  throw invalidRequest(`The body is invalid: /status ${message}.`, [{ path: '/status', message }])
}

export function draftOf(body: JsonObject): MessageDraft {
  const type = typeOf(body.type)
  const { to, recipient, biz_opaque_callback_data: opaque } = body
  return {
    type,
    to: to === undefined ? null : recipientOf(toExactText(to) ?? ''),
    userId: to === undefined ? (toExactText(recipient)?.slice(0, NAME_LENGTH_MAX) ?? null) : null,
    content: (Object.hasOwn(body, type) ? body[type] : null) ?? null,
    opaque: isName(opaque) ? opaque : null,
  }
}

/** Without a type it is a text, as it is upstream. */
function typeOf(type: unknown): string {
  if (type === undefined) return 'text'
  return typeof type === 'string' && TYPE.test(type) ? type : 'unknown'
}

function recipientOf(to: string): string {
  return /^[+\d\s().-]+$/.test(to) ? to.replace(/\D/g, '').slice(0, NAME_LENGTH_MAX) : to.slice(0, NAME_LENGTH_MAX)
}

function isName(opaque: unknown): opaque is string {
  return typeof opaque === 'string' && opaque !== '' && opaque.length <= OPAQUE_LENGTH_MAX
}

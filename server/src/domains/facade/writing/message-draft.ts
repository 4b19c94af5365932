import { invalidPart, toIssue } from '../../../kernel/errors.ts'
import { toExactText } from '../../../kernel/json/exact.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'

const CALLBACK_DATA_LENGTH_MAX = 512
const RECIPIENT_LENGTH_MAX = 256
const MESSAGE_ID_LENGTH_MAX = 256
const TYPE = /^\w{1,64}$/

/** The entry in the message log before the upstream responds. */
type MessageDraft = {
  type: string
  /** A phone number as digits only, or another recipient as it was sent. */
  to: string | null
  userId: string | null
  content: unknown
  /** The message that this one replies to. */
  context: { message_id: string } | null
  /** The client's `biz_opaque_callback_data`, if it can identify the send in a status callback. */
  callbackData: string | null
}

/** Read receipts and typing indicators use the path of messages, and send nothing. */
export function isReceipt(body: JsonObject): boolean {
  if (isAbsent(body.status)) return false
  if (isAbsent(body.to) && isAbsent(body.recipient)) return true
  throw invalidPart('body', [toIssue('/status', 'receipt_with_recipient')])
}

export function toMessageDraft(body: JsonObject): MessageDraft {
  const type = readType(body.type)
  const { to, recipient, biz_opaque_callback_data: callbackData } = body
  return {
    type,
    to: isAbsent(to) ? null : normalizeRecipient(toExactText(to) ?? ''),
    userId: isAbsent(to) ? (toExactText(recipient)?.slice(0, RECIPIENT_LENGTH_MAX) ?? null) : null,
    content: (Object.hasOwn(body, type) ? body[type] : null) ?? null,
    context: readContext(body.context),
    callbackData: isCallbackData(callbackData) ? callbackData : null,
  }
}

/** Only the id of a context is kept: the rest is the client's, of any size, and says nothing to the upstream. */
function readContext(context: unknown): MessageDraft['context'] {
  const id = isObject(context) ? context.message_id : undefined
  return typeof id === 'string' && id !== '' && id.length <= MESSAGE_ID_LENGTH_MAX ? { message_id: id } : null
}

/** A message without a type is a text, as at the upstream. */
function readType(type: unknown): string {
  if (isAbsent(type)) return 'text'
  return typeof type === 'string' && TYPE.test(type) ? type : 'unknown'
}

function normalizeRecipient(to: string): string {
  return /^[+\d\s().-]+$/.test(to)
    ? to.replace(/\D/g, '').slice(0, RECIPIENT_LENGTH_MAX)
    : to.slice(0, RECIPIENT_LENGTH_MAX)
}

/** The upstream takes a null member as an absent one. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isCallbackData(callbackData: unknown): callbackData is string {
  return typeof callbackData === 'string' && callbackData !== '' && callbackData.length <= CALLBACK_DATA_LENGTH_MAX
}

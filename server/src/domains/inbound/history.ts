import { isObject, type JsonObject, toNumber, toText } from '../../kernel/json/values.ts'
import { type ChannelContext, findBusinessNumber, findContact, listObjects, readWritten } from './message-updates.ts'
import { chunk, type Part } from './notice-parts.ts'
import { toShortTextOrNull } from './texts.ts'

const MESSAGES_PER_EVENT = 100
const DIGITS = /^\d+$/

type Thread = { id: string; messages: JsonObject[] }

/**
 * Reads the chats that a number of the Business app had before it was connected. They are events only: the message log, the
 * counts and the usage have what happened since. Files of the history arrive as messages of their own, without a thread.
 */
export function readHistory(value: JsonObject, context: ChannelContext): Part[] {
  const chunks = listObjects(value.history).flatMap(({ metadata, threads }) => {
    const { phase, progress } = isObject(metadata) ? metadata : {}
    return listObjects(threads).flatMap(({ id: given, messages }) => {
      const id = toShortTextOrNull(given)
      const thread = { phase: toNumber(phase), progress: toNumber(progress), messages: listObjects(messages) }
      return id === null ? [] : [{ id, ...thread }]
    })
  })
  const files = groupByContact(listObjects(value.messages), value, context)
  return [...chunks, ...files.map((thread) => ({ ...thread, phase: null, progress: null }))].flatMap(
    ({ phase, progress, ...thread }) => toParts(thread, { phase, progress }, value, context),
  )
}

function groupByContact(messages: JsonObject[], value: JsonObject, context: ChannelContext): Thread[] {
  const threads = Map.groupBy(messages, (message) => {
    const { from, from_user_id, to, to_user_id } = message
    return toShortTextOrNull(isOwn(message, value, context) ? (to ?? to_user_id) : (from ?? from_user_id))
  })
  return [...threads].flatMap(([id, list]) => (id === null ? [] : [{ id, messages: list }]))
}

function toParts(
  { id, messages }: Thread,
  place: { phase: number | null; progress: number | null },
  value: JsonObject,
  context: ChannelContext,
): Part[] {
  const isNumber = DIGITS.test(id)
  const contact = findContact(value, {
    wa_id: isNumber ? id : null,
    user_id: isNumber ? null : id,
    parent_user_id: null,
  }) ?? { name: null, user_id: null }
  const known = isNumber ? { ...contact, wa_id: contact.wa_id ?? id } : contact
  const entries = messages.flatMap((message) => toEntry(message, value, context) ?? [])
  return chunk(entries, MESSAGES_PER_EVENT).map((list) => ({
    kind: 'history.message',
    at: undefined,
    data: { contact: known, messages: list, ...place },
    part: [id, list],
  }))
}

/** A message in the shape of the log, without the members that only a message of the log has. */
function toEntry(message: JsonObject, value: JsonObject, context: ChannelContext) {
  const written = readWritten(message, context)
  if (!written) return undefined
  const { wamid, type, at, content, context: around, error } = written
  const { status } = isObject(message.history_context) ? message.history_context : {}
  return {
    upstream_message_id: wamid,
    direction: isOwn(message, value, context) ? 'outbound' : 'inbound',
    type,
    status: toText(status)?.toLowerCase() ?? null,
    from: toShortTextOrNull(message.from),
    to: toShortTextOrNull(message.to),
    content: content ?? null,
    context: around,
    error,
    created_at: at,
  }
}

function isOwn({ from, to, to_user_id }: JsonObject, value: JsonObject, context: ChannelContext): boolean {
  return from === undefined ? (to ?? to_user_id) !== undefined : toText(from) === findBusinessNumber(value, context)
}

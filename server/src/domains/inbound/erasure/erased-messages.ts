import { parseExact } from '../../../kernel/json/exact.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import { listSpellings } from '../../../kernel/phone-numbers.ts'
import { removeRecipient } from '../../messages/inbound-updates/erased-status.ts'
import { listObjects } from '../message-updates.ts'

/** The upstream's ids of messages whose person was erased. */
export type ErasedIds = ReadonlySet<string>

const WRITTEN_LISTS = ['messages', 'message_echoes'] as const
/** Members that name the person of a message or a status, as contacts do. */
const PERSON_MEMBERS = ['from', 'from_user_id', 'to', 'to_user_id', 'recipient_id', 'recipient_user_id']

/** Returns true if a change has a message, or the status of one, whose person was erased. */
export function hasErased(value: unknown, erased: ErasedIds): boolean {
  if (erased.size === 0 || !isObject(value)) return false
  return [...WRITTEN_LISTS, 'statuses'].some((name) => listObjects(value[name]).some((item) => isErased(item, erased)))
}

/**
 * A change without the people of erased messages: these messages go, and their statuses stay without the recipient. Of
 * the contacts those stay that another message or status names.
 */
export function removeErased(value: JsonObject, erased: ErasedIds): JsonObject {
  const rest: JsonObject = { ...value }
  const kept: JsonObject[] = []
  for (const name of WRITTEN_LISTS) {
    if (!(name in value)) continue
    const others = listObjects(value[name]).filter((item) => !isErased(item, erased))
    kept.push(...others)
    rest[name] = others
  }
  if ('statuses' in value) {
    const statuses = listObjects(value.statuses)
    kept.push(...statuses.filter((status) => !isErased(status, erased)))
    rest.statuses = statuses.map((status) => (isErased(status, erased) ? removeRecipient(status) : status))
  }
  if ('contacts' in value) {
    const named = new Set(kept.flatMap((item) => PERSON_MEMBERS.map((member) => item[member])))
    rest.contacts = listObjects(value.contacts).filter(
      ({ wa_id, user_id }) =>
        (typeof wa_id === 'string' && listSpellings(wa_id).some((spelling) => named.has(spelling))) ||
        (user_id !== undefined && named.has(user_id)),
    )
  }
  return rest
}

/** A callback, or the raw event of a change, without the people of erased messages. One that cannot be read is emptied. */
export function removeErasedFromBytes(bytes: Buffer, erased: ErasedIds): Buffer {
  try {
    const callback = parseExact(bytes.toString('utf8'))
    for (const entry of isObject(callback) ? listObjects(callback.entry) : []) {
      for (const change of listObjects(entry.changes)) {
        if (isObject(change.value) && hasErased(change.value, erased)) change.value = removeErased(change.value, erased)
      }
    }
    return Buffer.from(JSON.stringify(callback))
  } catch {
    // Nested deeper than the stack allows.
    return Buffer.alloc(0)
  }
}

function isErased({ id }: JsonObject, erased: ErasedIds): boolean {
  return typeof id === 'string' && erased.has(id)
}

import { stringifyAscii } from '../../../kernel/json/ascii.ts'
import { parseExact, toExactText } from '../../../kernel/json/exact.ts'
import { isObject, type JsonObject, toList } from '../../../kernel/json/values.ts'
import { concernsPerson, isIdentifier, type Person } from './person.ts'

/** Members of the upstream's objects that say whose the object is. */
const IDENTITY_MEMBERS = [
  'from',
  'to',
  'wa_id',
  'user_id',
  'parent_user_id',
  'phone_number',
  'input',
  'recipient',
  'id',
  'from_user_id',
  'from_parent_user_id',
  'to_user_id',
  'to_parent_user_id',
  'recipient_id',
  'recipient_user_id',
  'parent_recipient_user_id',
  'recipient_participant_id',
  'previous_user_id',
  'previous_parent_user_id',
]
/** Objects in an object that are about the same person as it. */
const PART_MEMBERS = ['contact', 'system']
/** Lists of what people wrote: an element is one person's, and its content stays or goes with it. */
const CONTENT_LISTS = ['messages', 'message_echoes']
/** Lists whose elements only hold lists of several people. */
const GROUPING_LISTS = ['history', 'threads']
const DEPTH_MAX = 16
/** Kinds with an object of the upstream that is about one person, or no person. */
const PASSED_ON = /^(payment\.status|contact\.(preferences|changed)|call\..+)$/
/** Kinds with lists in which each element is about a person of its own. */
const LISTING = /^(contact\.synced|group\.changed)$/

/** `null`: the whole payload is the person's. */
export type Remaining = Buffer | null | 'unchanged'

/** Returns the rest of an event's payload without a person. One that cannot be read cannot be kept in part. */
export function removeFromPayload({ kind, body }: { kind: string; body: Buffer }, person: Person): Remaining {
  try {
    return removeFromObject(kind, parseExact(body.toString('utf8')), person)
  } catch {
    // Not JSON, or nested deeper than the stack allows.
    return null
  }
}

function removeFromObject(kind: string, payload: unknown, person: Person): Remaining {
  if (!isObject(payload)) return null
  if (PASSED_ON.test(kind)) return hasIdentifier(payload.data, person) ? null : 'unchanged'
  if (kind === 'history.message') return isChatWith(payload.data, person) ? null : 'unchanged'
  if (LISTING.test(kind)) return removeFromListing(payload, person)
  if (kind !== 'upstream.raw') return isEventOf(payload, person) ? null : 'unchanged'
  const changes = toList(payload.entry).flatMap((entry) =>
    isObject(entry) ? toList(entry.changes).filter(isObject) : [],
  )
  const results = changes.map((change) => removeFromChange(change, person))
  if (results.every(({ isRemoved }) => !isRemoved)) return 'unchanged'
  return results.every(({ isEmpty }) => isEmpty) ? null : Buffer.from(JSON.stringify(payload))
}

/**
 * Removes from a change of the upstream what is about a person: whole messages, statuses and contacts. What another person
 * wrote stays as it is, also if it mentions this one. `isEmpty`: nothing is left of it.
 */
export function removeFromChange(change: JsonObject, person: Person): { isRemoved: boolean; isEmpty: boolean } {
  const { value } = change
  if (!isObject(value)) return { isRemoved: false, isEmpty: false }
  if (isAbout(value, person)) {
    change.value = {}
    return { isRemoved: true, isEmpty: true }
  }
  const isRemoved = removeFromLists(value, person)
  return { isRemoved, isEmpty: isRemoved && countElements(value) === 0 }
}

function removeFromLists(object: JsonObject, person: Person, depth = 1): boolean {
  if (depth > DEPTH_MAX) return false
  let isRemoved = false
  for (const [name, list] of Object.entries(object)) {
    if (!Array.isArray(list)) continue
    const kept = list.filter((element) => !isObject(element) || !isAbout(element, person))
    const searched = CONTENT_LISTS.includes(name) ? [] : kept.filter(isObject)
    const results = searched.map((element) => removeFromLists(element, person, depth + 1))
    if (kept.length < list.length || results.includes(true)) isRemoved = true
    object[name] = kept
  }
  return isRemoved
}

function countElements(object: JsonObject): number {
  return Object.values(object)
    .filter(Array.isArray)
    .flat()
    .reduce<number>((sum, element) => {
      const isGroup = isObject(element) && GROUPING_LISTS.some((name) => Array.isArray(element[name]))
      return sum + (isGroup ? countElements(element) : 1)
    }, 0)
}

function isAbout(object: JsonObject, person: Person): boolean {
  if (IDENTITY_MEMBERS.some((name) => isIdentifier(person, toExactText(object[name])))) return true
  return PART_MEMBERS.some((name) => {
    const part = object[name]
    return isObject(part) && isAbout(part, person)
  })
}

/** Returns true if an event is about a message that is older than an id. Only the hub's own events name their message. */
export function isOfMessageBefore({ kind, body }: { kind: string; body: Buffer }, id: string): boolean {
  if (kind === 'upstream.raw') return false
  const message = JSON.parse(body.toString('utf8')).data?.message
  return isObject(message) && typeof message.id === 'string' && message.id < id
}

/** A chat is the contact's, with what the business wrote in it; others may be mentioned in it. */
function isChatWith(data: unknown, person: Person): boolean {
  if (!isObject(data)) return false
  return isAbout(data, person) || toList(data.messages).some((message) => isObject(message) && isAbout(message, person))
}

/** Returns the rest of an event of several people without one of them. For a group, the fact stays that something changed. */
function removeFromListing(payload: JsonObject, person: Person): Remaining {
  const data = isObject(payload.data) ? payload.data : {}
  const lists = isObject(data.change) ? data.change : data
  const isRemoved = removeFromLists(lists, person)
  if (hasIdentifier(data, person) || (isRemoved && lists === data && countElements(data) === 0)) return null
  return isRemoved ? Buffer.from(stringifyAscii(payload)) : 'unchanged'
}

/** An object of the upstream is passed on as it came: any member of it may be the person's number or user id. */
function hasIdentifier(value: unknown, person: Person, depth = 1): boolean {
  if (typeof value !== 'object' || value === null) return isIdentifier(person, toExactText(value))
  return depth <= DEPTH_MAX && Object.values(value).some((member) => hasIdentifier(member, person, depth + 1))
}

/** The hub writes the bodies of these events itself. */
function isEventOf({ data }: JsonObject, person: Person): boolean {
  const message = isObject(data) ? data.message : undefined
  if (!isObject(message)) return false
  const contact = isObject(message.contact) ? message.contact : null
  const [direction, sender, recipient] = [message.direction, message.from, message.to].map((text) => {
    return typeof text === 'string' ? text : null
  })
  const detail = isObject(data) && isObject(data.statuses_detail) ? data.statuses_detail : {}
  return (
    concernsPerson(person, {
      direction: direction ?? '',
      sender: sender ?? null,
      recipient: recipient ?? null,
      contact,
    }) || isAbout(detail, person)
  )
}

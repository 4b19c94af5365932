import { invalidRequest } from '../../../kernel/errors.ts'
import { listSpellings } from '../../../kernel/phone-numbers.ts'

const PHONE = /^\+?[0-9][0-9 ().-]{3,28}[0-9]$/
const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/
const DIGITS_MIN = 5
const DIGITS_MAX = 20

/**
 * A person whom an erasure is about. `spellings` are the digits of the phone number as messages may have them; `userIds`, the
 * upstream's ids, of which those that came together with the number are found on the way.
 */
export type Person = { spellings: string[]; userIds: string[] }

type PersonQuery = { phone?: string; user_id?: string }

export function parsePerson({ phone, user_id }: PersonQuery): Person {
  if (user_id !== undefined) {
    if (!USER_ID.test(user_id)) throw invalidRequest('user_id_invalid')
    return { spellings: [], userIds: [user_id] }
  }
  const digits = phone?.replace(/\D/g, '') ?? ''
  if (!PHONE.test(phone ?? '') || digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) {
    throw invalidRequest('phone_invalid')
  }
  return { spellings: listSpellings(digits), userIds: [] }
}

export function listIdentifiers({ spellings, userIds }: Person): string[] {
  return [...spellings, ...userIds]
}

/** Returns true if a text is the person's number or user id, and does not only contain it. */
export function isIdentifier(person: Person, text: unknown): boolean {
  if (typeof text !== 'string') return false
  if (person.userIds.includes(text)) return true
  return PHONE.test(text) && isNumber(person, text)
}

/** Returns true if the digits of a text are the person's number: `whatsapp:+5511987654321`. */
function isNumber(person: Person, text: string): boolean {
  return !USER_ID.test(text) && person.spellings.includes(text.replace(/\D/g, ''))
}

export function isSamePerson(one: Person, other: Person): boolean {
  return one.spellings[0] !== undefined
    ? other.spellings.includes(one.spellings[0])
    : other.spellings.length === 0 && one.userIds[0] === other.userIds[0]
}

type Parties = {
  direction: string
  sender: string | null
  recipient: string | null
  contact: { wa_id?: unknown; user_id?: unknown; parent_user_id?: unknown } | null
}

/**
 * Returns true if the person is the other side of a message. The business's own number is not looked at. A recipient is as a client
 * of the facade wrote it, also one that the upstream refused.
 */
export function concernsPerson(person: Person, { direction, sender, recipient, contact }: Parties): boolean {
  const other = direction === 'inbound' ? sender : recipient
  if (direction === 'outbound' && recipient !== null && isNumber(person, recipient)) return true
  return [other, contact?.wa_id, contact?.user_id, contact?.parent_user_id].some((text) => isIdentifier(person, text))
}

/**
 * Adds the user ids of a message that has the person's number: the upstream gives a number that changes hands another user
 * id. A number that came with a given user id is not added: it may have belonged to others before.
 */
export function addUserIds(person: Person, message: Parties): Person {
  const { direction, sender, recipient, contact } = message
  if (!isIdentifier({ ...person, userIds: [] }, direction === 'inbound' ? sender : recipient)) return person
  const ids = [contact?.user_id, contact?.parent_user_id].filter((id) => typeof id === 'string')
  const added = ids.filter((id) => !person.userIds.includes(id))
  return added.length === 0 ? person : { ...person, userIds: [...person.userIds, ...new Set(added)] }
}

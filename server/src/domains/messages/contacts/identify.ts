import { hash } from 'node:crypto'
import { toStorableText } from '../../../kernel/db/rows.ts'
import type { Contact } from '../contact.ts'
import type { Direction } from '../status.ts'

const NUMBER = /^\+?[0-9][0-9 ().-]*$/
const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/
const DIGITS_MIN = 5
const DIGITS_MAX = 20
/** An index of PostgreSQL takes no longer ones. */
const TEXT_LENGTH_MAX = 200
/** A number as the upstream writes it. */
const ONLY_DIGITS = new RegExp(`^\\d{${DIGITS_MIN},${DIGITS_MAX}}$`)
const ACCENTS = /[\u0300-\u036f]/g

/** The details in a message about the person whom it is from or to. */
export type ContactDetails = {
  organizationId: string
  channelId: string
  id: string
  waId: string | null
  userId: string | null
  parentUserId: string | null
  username: string | null
  name: string | null
  searchName: string | null
  reversedNumber: string | null
}

type Parties = {
  organization_id: string
  channel_id: string
  direction: Direction
  sender: string | null
  recipient: string | null
  contact: Contact | null
}

/**
 * The person whom a message is from or to; null if it names no number and no user id, such as one to a group. A person is
 * the user id, and only without one the number, because a number changes hands.
 */
export function identifyContact(message: Parties): ContactDetails | null {
  const { organization_id: organizationId, channel_id: channelId, direction, contact } = message
  const address = direction === 'inbound' ? message.sender : message.recipient
  const userId = contact?.user_id ?? (address !== null && isUserId(address) ? address : null)
  const waId = contact?.wa_id === undefined ? null : toDigits(contact.wa_id)
  const digits = waId ?? (address === null ? null : toDigits(address))
  const number = digits === null ? null : toOneSpelling(digits)
  const identity = userId ?? number
  if (identity === null) return null
  const { name = null, username = null, parent_user_id: parentUserId = null } = contact ?? {}
  return {
    organizationId,
    channelId,
    id: toContactId(organizationId, channelId, identity),
    waId,
    userId: userId === null ? null : toStorableText(userId),
    parentUserId: toColumn(parentUserId),
    username: toColumn(username),
    name: toColumn(name),
    searchName: toColumn(name === null ? null : toSearchName(name)),
    reversedNumber: number === null ? null : reverse(number),
  }
}

/** The person whom a message is sent to. */
export function identifyRecipient(send: {
  organizationId: string
  channelId: string
  to: string | null
  userId: string | null
}): ContactDetails | null {
  return identifyContact({
    organization_id: send.organizationId,
    channel_id: send.channelId,
    direction: 'outbound',
    sender: null,
    recipient: send.to,
    contact: send.userId === null ? null : { name: null, user_id: send.userId },
  })
}

/**
 * Adds what the upstream calls the number that a client wrote, if it is another number: both find the messages. `current` is
 * the contact that the message has, and `address` the number in the log.
 */
export function listContacts(
  message: Parties,
  { current, address = message.recipient }: { current?: string; address?: string | null } = {},
  found: ContactDetails | null = identifyContact(message),
): ContactDetails[] {
  if (found === null) return []
  const known = { ...found, id: current ?? found.id }
  const written = identifyContact({ ...message, direction: 'outbound', recipient: address, contact: null })
  if (message.direction === 'inbound' || written === null || found.reversedNumber === null) return [known]
  const isOther = written.reversedNumber !== null && written.reversedNumber !== found.reversedNumber
  return isOther ? [known, { ...written, waId: reverse(found.reversedNumber) }] : [known]
}

/** The contact of a message that has one, where `found` is who is identified now: a user id decides, and a number only for want of another contact. */
export function chooseContactId(
  message: Parties,
  current: string | null,
  found: ContactDetails | null = identifyContact(message),
): string | null {
  if (found === null || current === null) return current ?? found?.id ?? null
  const isByNumber = current === identifyContact({ ...message, contact: null })?.id
  return found.userId !== null || isByNumber ? found.id : current
}

/** The later ones of several details of one contact count. */
export function mergeContactDetails(all: readonly ContactDetails[]): ContactDetails[] {
  const byId = new Map<string, ContactDetails>()
  for (const details of all) {
    const { waId, userId, parentUserId, username, name, searchName, reversedNumber, ...key } = details
    const before = byId.get(details.id)
    byId.set(details.id, {
      ...key,
      waId: waId ?? before?.waId ?? null,
      userId: userId ?? before?.userId ?? null,
      parentUserId: parentUserId ?? before?.parentUserId ?? null,
      username: username ?? before?.username ?? null,
      name: name ?? before?.name ?? null,
      searchName: searchName ?? before?.searchName ?? null,
      reversedNumber: (waId === null ? before?.reversedNumber : null) ?? reversedNumber ?? null,
    })
  }
  return [...byId.values()]
}

export function isUserId(text: string): boolean {
  return USER_ID.test(text)
}

/** The digits of a phone number, as a client or the upstream wrote it; null if the text is none. */
export function toDigits(text: string): string | null {
  if (ONLY_DIGITS.test(text)) return text
  if (!NUMBER.test(text)) return null
  const digits = text.replace(/\D/g, '')
  return digits.length < DIGITS_MIN || digits.length > DIGITS_MAX ? null : digits
}

/**
 * The spelling under which a number is searched: Brazilian mobile numbers with the ninth digit, Mexican numbers without the 1
 * after the country code. The upstream uses both.
 */
export function toOneSpelling(digits: string): string {
  return digits.replace(/^55(\d{2})([6-9]\d{7})$/, '55$19$2').replace(/^521(\d{10})$/, '52$1')
}

export function reverse(digits: string): string {
  let reversed = ''
  for (const digit of digits) reversed = digit + reversed
  return reversed
}

export function toSearchName(name: string): string {
  return name.normalize('NFD').replace(ACCENTS, '').toLowerCase().trim()
}

/** The same person in the same channel has the same id, in every process. */
export function toContactId(organizationId: string, channelId: string, identity: string): string {
  const hex = hash('sha256', `${organizationId} ${channelId} ${identity}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

function toColumn(text: string | null): string | null {
  return text === null || text === '' ? null : toStorableText(text.slice(0, TEXT_LENGTH_MAX))
}

import { createHash } from 'node:crypto'
import type { Graph } from '../context.ts'
import type { Contact } from '../model.ts'
import { getRelation } from './window.ts'

const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/

/** Longest prefix first. Enough countries to make user ids and cost reports differ. */
const COUNTRIES: readonly [prefix: string, country: string][] = [
  ['351', 'PT'],
  ['55', 'BR'],
  ['52', 'MX'],
  ['1', 'US'],
]

/** Codes that only a failed status can have. */
export const ASYNC_FAILURES = [
  130403, 130472, 130497, 131000, 131026, 131042, 131047, 131048, 131049, 131050, 131051, 131052, 131053, 137000,
]

export function findCountry(waId: string): string {
  return COUNTRIES.find(([prefix]) => waId.startsWith(prefix))?.[1] ?? 'ZZ'
}

export function isUserId(text: string): boolean {
  return USER_ID.test(text)
}

/** The digits of a phone number, or undefined if the text is not one. */
export function parseDigits(written: string): string | undefined {
  const digits = written.replace(/[+\-()\s]/g, '')
  return /^[1-9][0-9]{6,14}$/.test(digits) ? digits : undefined
}

/**
 * The wa_id of a number. Brazilian mobile numbers outside the first area codes
 * lose their ninth digit, and Mexican numbers get a 1.
 */
export function toWaId(digits: string): string {
  const brazil = /^55([3-9][0-9])9([0-9]{8})$/.exec(digits)
  if (brazil) return `55${brazil[1]}${brazil[2]}`
  const mexico = /^52([2-9][0-9]{9})$/.exec(digits)
  return mexico ? `521${mexico[1]}` : digits
}

/** A person has a different user id for each business portfolio, and keeps it over restarts. */
export function deriveUserId(graph: Graph, waId: string, businessId: string): string {
  const digest = createHash('sha256').update(`${waId}@${businessId}`).digest('hex')
  const userId = `${findCountry(waId)}.${BigInt(`0x${digest.slice(0, 15)}`)}`
  graph.state.users.set(userId, waId)
  return userId
}

/** Every phone number has a WhatsApp account, with these defaults. */
export function getContact(graph: Graph, waId: string): Contact {
  const known = graph.state.contacts.get(waId)
  if (known) return known
  const contact: Contact = {
    waId,
    name: `Contact ${waId.slice(-4)}`,
    username: undefined,
    number: undefined,
    identityKeyHash: undefined,
    hidesPhone: false,
    behavior: { delivers: true, reads: true, fails_with: failureNamedBy(waId) },
    hasStoppedMarketing: false,
  }
  graph.state.contacts.set(waId, contact)
  return contact
}

type ShownPerson = Pick<Contact, 'name' | 'username' | 'hidesPhone'>

/** Returns what a person shows to a number, which may differ from what others see. */
export function describePerson(graph: Graph, phoneId: string, waId: string): ShownPerson {
  const { name, username, hidesPhone } = getContact(graph, waId)
  const own = getRelation(graph, phoneId, waId)
  return {
    name: own.name ?? name,
    username: own.username === undefined ? username : (own.username ?? undefined),
    hidesPhone: own.hidesPhone ?? hidesPhone,
  }
}

/** A number that ends in the digits of such a code always fails with it. */
function failureNamedBy(waId: string): number | undefined {
  return ASYNC_FAILURES.find((code) => waId.endsWith(String(code)))
}

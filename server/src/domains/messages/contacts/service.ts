import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { type AppError, invalidRequest } from '../../../kernel/errors.ts'
import { isUserId, reverse, toDigits, toOneSpelling, toSearchName } from './identify.ts'
import * as store from './store.ts'

/** A page reads the newest messages of each. */
const FOUND_MAX = 100
const DELETE_BATCH_SIZE = 1000
const END_DIGITS_MIN = 3
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** A client names people by phone number or user id, by the beginning of a name, or by the end of a number. */
export type PeopleQuery = {
  person?: string | undefined
  name?: string | undefined
  number_end?: string | undefined
}

type By = store.ContactSearch['by']

export type Contacts = ReturnType<typeof createContacts>

/** The people whom messages are from or to. The statements that write messages write them too. */
export function createContacts({ sql, retentionDays }: { sql: Pool; retentionDays: number }) {
  return {
    /** The ids of contacts that match everything that is given; null if nothing is. More than a page can read is an error. */
    async find(
      key: { organizationId: string; channelId: string | null },
      query: PeopleQuery,
    ): Promise<string[] | null> {
      const searches = listSearches(query)
      if (searches.length === 0) return null
      const found = await Promise.all(
        searches.map((by) => store.findContactIds(sql, { ...key, by, limit: FOUND_MAX + 1 })),
      )
      const [first = [], ...others] = found.toSorted((a, b) => a.length - b.length)
      if (first.length > FOUND_MAX) throw tooManyPeople()
      if (others.some(({ length }) => length > FOUND_MAX)) throw tooManyPeople()
      return first.filter((id) => others.every((ids) => ids.includes(id)))
    },

    /** By the id of the contact. */
    async listNames(organizationId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
      const rows = await store.listNames(sql, { organizationId, ids })
      return new Map(rows.map(({ id, name }) => [id, name]))
    },

    list: (page: Parameters<typeof store.listContacts>[1]) => store.listContacts(sql, page),

    /** For the erasure of a person. */
    async erase(
      tx: Tx,
      organizationId: string,
      { spellings, userIds }: { spellings: readonly string[]; userIds: readonly string[] },
    ): Promise<void> {
      const reversedNumbers = spellings.map((digits) => reverse(toOneSpelling(digits)))
      await store.deleteContacts(tx, { organizationId, userIds, reversedNumbers, waIds: spellings })
    },

    /** Contacts whose last message retention has deleted. */
    async deleteUnused(): Promise<void> {
      let after: store.ContactPlace | undefined = { organizationId: BEFORE_ALL, id: BEFORE_ALL }
      while (after) after = await store.deleteUnused(sql, { after, days: retentionDays, limit: DELETE_BATCH_SIZE })
    },
  }
}

function listSearches({ person, name, number_end: end }: PeopleQuery): By[] {
  return [
    ...(person === undefined ? [] : [parsePerson(person)]),
    ...(name === undefined ? [] : [parseName(name)]),
    ...(end === undefined ? [] : [parseEnd(end)]),
  ]
}

function parsePerson(text: string): By {
  if (isUserId(text)) return { userId: text }
  const digits = toDigits(text)
  if (digits !== null) return { reversedNumber: reverse(toOneSpelling(digits)) }
  throw invalidRequest('person_invalid')
}

function parseName(text: string): By {
  const namePrefix = toSearchName(text)
  if (namePrefix === '') throw invalidRequest('name_missing')
  return { namePrefix }
}

/** The ninth digit of a Brazilian number may be missing from the end too. */
function parseEnd(text: string): By {
  const digits = text.replace(/\D/g, '')
  if (digits.length < END_DIGITS_MIN) {
    throw invalidRequest('number_end_too_short', { parameters: { minimum: END_DIGITS_MIN } })
  }
  const ends = new Set([digits, toOneSpelling(digits), digits.replace(/^(\d{2})([6-9]\d{7})$/, '$19$2')])
  return { reversedEnds: [...ends].slice(0, 2).map(reverse) }
}

function tooManyPeople(): AppError {
  return invalidRequest('too_many_people', { parameters: { limit: FOUND_MAX } })
}

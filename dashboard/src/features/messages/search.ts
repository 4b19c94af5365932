import { DIRECTIONS, MESSAGE_STATUSES, MESSAGE_TYPES } from '../../api/generated/definitions.gen.ts'
import { parseDateRange, toTimes } from '../../lib/date-range.ts'
import { formatPhone } from '../../lib/format.ts'
import { isUuid } from '../../lib/uuid.ts'

/** The types of messages that can be sent, and those that only arrive. */
export const TYPES = [...MESSAGE_TYPES, 'button', 'order', 'system', 'unsupported'] as const

/** Longer than any id, wamid or name of a person. */
const SUBJECT_LENGTH_MAX = 500

/** The state of the page in its address. */
export type MessageSearch = {
  channel_id?: string
  direction?: (typeof DIRECTIONS)[number]
  /** One status, or several with commas between them. */
  status?: string
  type?: string
  template?: string
  error_code?: number
  /** Phone numbers are numbers here, so that the address has no quotes around them. */
  person?: string | number
  /** The beginning of a name or username. */
  name?: string
  /** The last digits of a phone number: text only if it begins with a zero. */
  number_end?: string | number
  id?: string
  date?: string
  /** The message in the drawer. */
  open?: string
}

/** The fewest digits that the hub searches for. */
const END_DIGITS_MIN = 3
/** Fewer digits without a plus sign may lack the country code: they are the end of a number. */
const WHOLE_DIGITS_MIN = 12
const NAME_LENGTH_MAX = 100

/** The largest that the hub searches for. */
const ERROR_CODE_MAX = 99_999_999

export type SearchChange = { [Key in keyof MessageSearch]?: MessageSearch[Key] | undefined }

export function parseMessageSearch(given: Record<string, unknown>): MessageSearch {
  const { channel_id, direction, status, type, template, error_code, person, name, number_end, id, open } = given
  const parsed = {
    channel_id: isUuid(channel_id) ? channel_id : undefined,
    direction: DIRECTIONS.find((one) => one === direction),
    status: writeStatuses(listStatuses(status)),
    type: readText(type, 80),
    template: readText(template, 512),
    error_code: isErrorCode(error_code) ? error_code : undefined,
    person: parsePerson(readText(person, SUBJECT_LENGTH_MAX) ?? ''),
    name: readText(name, NAME_LENGTH_MAX),
    number_end: parseNumberEnd(readText(number_end, SUBJECT_LENGTH_MAX) ?? ''),
    id: parseSubject(readText(id, SUBJECT_LENGTH_MAX) ?? '').id,
    date: parseDateRange(given.date),
    open: isUuid(open) ? open : undefined,
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

/** Lists the statuses of an address that exist, in the order of the list of all. */
export function listStatuses(value: unknown): (typeof MESSAGE_STATUSES)[number][] {
  const given = typeof value === 'string' ? value.split(',') : []
  return MESSAGE_STATUSES.filter((status) => given.includes(status))
}

export function writeStatuses(statuses: readonly string[]): string | undefined {
  return statuses.length === 0 ? undefined : MESSAGE_STATUSES.filter((one) => statuses.includes(one)).join(',')
}

export type LogFilters = Omit<MessageSearch, 'open' | 'date' | 'person' | 'number_end'> & {
  person?: string
  number_end?: string
  since?: string
  until?: string
}

/** The filters as the hub takes them. Times are fixed here, since a cursor belongs to its filters. */
export function toFilters({ open, date, person, number_end, ...search }: MessageSearch, now: Date): LogFilters {
  return {
    ...search,
    ...(person !== undefined && { person: String(person) }),
    ...(number_end !== undefined && { number_end: String(number_end) }),
    ...toTimes(date, now),
  }
}

export type Subject = Pick<MessageSearch, 'id' | 'person' | 'name' | 'number_end'>

/** Parses a search for a message or a person: an id, a wamid, a phone number or its end, a user id or a name. */
export function parseSubject(text: string): Subject {
  const given = text.trim()
  if (isUuid(given) || /^wamid\.\S{1,290}$/.test(given)) return { id: given }
  const digits = readDigits(given)
  if (digits === undefined) {
    const person = parsePerson(given)
    if (person !== undefined) return { person }
    const name = given.replace(/^@/, '').slice(0, NAME_LENGTH_MAX)
    return /\p{L}/u.test(name) && name.length >= 2 && !name.startsWith('wamid.') ? { name } : {}
  }
  const isWhole = /^(\+|00)/.test(given) || digits.length >= WHOLE_DIGITS_MIN
  const person = isWhole ? parsePerson(given) : undefined
  if (person !== undefined) return { person }
  const end = isWhole ? undefined : parseNumberEnd(given)
  return end === undefined ? {} : { number_end: end }
}

/** Formats the search as a person would write it. */
export function writeSubject({ id, person, name, number_end }: Subject): string | undefined {
  const phone = typeof person === 'number' ? formatPhone(String(person)) : person
  return id ?? phone ?? name ?? number_end?.toString()
}

/** A whole phone number or a user id. */
function parsePerson(text: string): string | number | undefined {
  if (/^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/.test(text)) return text
  const digits = readDigits(text)?.replace(/^0+/, '') ?? ''
  return /^[0-9]{7,15}$/.test(digits) ? Number(digits) : undefined
}

function parseNumberEnd(text: string): string | number | undefined {
  const digits = readDigits(text) ?? ''
  if (digits.length < END_DIGITS_MIN || digits.length > 15 || /^0+$/.test(digits)) return undefined
  return digits.startsWith('0') ? digits : Number(digits)
}

function readDigits(text: string): string | undefined {
  const digits = text.replace(/^\+|[\s().-]/g, '')
  return /^[0-9]+$/.test(digits) ? digits : undefined
}

function isErrorCode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= ERROR_CODE_MAX
}

function readText(value: unknown, lengthMax: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, lengthMax) : undefined
}

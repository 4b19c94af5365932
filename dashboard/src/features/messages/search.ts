import { DIRECTIONS, MESSAGE_STATUSES, MESSAGE_TYPES } from '../../api/generated/definitions.gen.ts'
import { parseDateRange, toTimes } from '../../lib/date-range.ts'
import { isUuid } from '../../lib/uuid.ts'

/** What can be sent, and what only arrives. */
export const TYPES = [...MESSAGE_TYPES, 'button', 'order', 'system', 'unsupported'] as const

/** Longer than any id, wamid or name of a person. */
const SUBJECT_LENGTH_MAX = 500

/** The state of the page in its address. */
export type MessageSearch = {
  channel_id?: string
  direction?: (typeof DIRECTIONS)[number]
  status?: (typeof MESSAGE_STATUSES)[number]
  type?: string
  template?: string
  error_code?: number
  /** Phone numbers are numbers here, so that the address has no quotes around them. */
  person?: string | number
  id?: string
  date?: string
  /** The message in the drawer. */
  open?: string
}

/** The largest that the hub searches for. */
const ERROR_CODE_MAX = 99_999_999

export type SearchChange = { [Key in keyof MessageSearch]?: MessageSearch[Key] | undefined }

export function parseMessageSearch(given: Record<string, unknown>): MessageSearch {
  const { channel_id, direction, status, type, template, error_code, person, id, open } = given
  const parsed = {
    channel_id: isUuid(channel_id) ? channel_id : undefined,
    direction: DIRECTIONS.find((one) => one === direction),
    status: MESSAGE_STATUSES.find((one) => one === status),
    type: readText(type, 80),
    template: readText(template, 512),
    error_code: isErrorCode(error_code) ? error_code : undefined,
    person: parseSubject(readText(person, SUBJECT_LENGTH_MAX) ?? '').person,
    id: parseSubject(readText(id, SUBJECT_LENGTH_MAX) ?? '').id,
    date: parseDateRange(given.date),
    open: isUuid(open) ? open : undefined,
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

export type LogFilters = Omit<MessageSearch, 'open' | 'date' | 'person'> & {
  person?: string
  since?: string
  until?: string
}

/** The filters as the hub takes them. Times are fixed here, since a cursor belongs to its filters. */
export function toFilters({ open, date, person, ...search }: MessageSearch, now: Date): LogFilters {
  return { ...search, ...(person !== undefined && { person: String(person) }), ...toTimes(date, now) }
}

/** What a search for one message or one person means: an id, a wamid, a phone number or a user id. */
export function parseSubject(text: string): Pick<MessageSearch, 'id' | 'person'> {
  const given = text.trim()
  if (isUuid(given) || /^wamid\.\S{1,290}$/.test(given)) return { id: given }
  if (/^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/.test(given)) return { person: given }
  const digits = given.replace(/^\+|[\s().-]/g, '').replace(/^0+/, '')
  return /^[0-9]{7,15}$/.test(digits) ? { person: Number(digits) } : {}
}

function isErrorCode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= ERROR_CODE_MAX
}

function readText(value: unknown, lengthMax: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, lengthMax) : undefined
}

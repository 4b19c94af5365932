import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from '../../api/generated/definitions.gen.ts'
import { parseDateRange, toTimes } from '../../lib/date-range.ts'
import { isUuid } from '../../lib/uuid.ts'

export const HTTP_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const

type ListSearch = { status?: (typeof ENDPOINT_STATUSES)[number]; dialog?: 'create' }

export function parseListSearch({ status, dialog }: Record<string, unknown>): ListSearch {
  return drop({
    status: ENDPOINT_STATUSES.find((one) => one === status),
    dialog: dialog === 'create' ? dialog : undefined,
  })
}

/** The filters of the deliveries, the open delivery and the attempt that it shows. */
export type DetailSearch = {
  status?: (typeof DELIVERY_STATUSES)[number]
  event?: string
  /** A class, or one code, which is a number so that the address has no quotes around it. */
  http?: (typeof HTTP_CLASSES)[number] | number
  channel_id?: string
  date?: string
  open?: string
  attempt?: number
}

export function parseDetailSearch(given: Record<string, unknown>): DetailSearch {
  const { status, event, http, channel_id, date, open, attempt } = given
  return drop({
    status: DELIVERY_STATUSES.find((one) => one === status),
    event: typeof event === 'string' && /^[a-z_.]{1,60}$/.test(event) ? event : undefined,
    http: parseHttp(http),
    channel_id: isUuid(channel_id) ? channel_id : undefined,
    date: parseDateRange(date),
    open: isUuid(open) ? open : undefined,
    attempt: Number.isInteger(attempt) ? Number(attempt) : undefined,
  })
}

export function parseHttp(value: unknown): DetailSearch['http'] {
  const code = Number(value)
  return (
    HTTP_CLASSES.find((one) => one === value) ??
    (Number.isInteger(code) && code >= 100 && code <= 599 ? code : undefined)
  )
}

export type DeliveryFilters = {
  status?: (typeof DELIVERY_STATUSES)[number]
  event?: string
  http_status?: string
  channel_id?: string
  since?: string
  until?: string
}

/** The filters as the hub takes them. Times are fixed here, since a cursor belongs to its filters. */
export function toDeliveryFilters({ status, event, http, channel_id, date }: DetailSearch, now: Date): DeliveryFilters {
  return drop({ status, event, http_status: http?.toString(), channel_id, ...toTimes(date, now) })
}

type Set<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** Without the members that are not set. */
export function drop<Fields extends object>(fields: Fields): Set<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Set<Fields>
}

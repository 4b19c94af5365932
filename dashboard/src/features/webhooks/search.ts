import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from '../../api/generated/definitions.gen.ts'
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
  http?: (typeof HTTP_CLASSES)[number]
  open?: string
  attempt?: number
}

export function parseDetailSearch({ status, event, http, open, attempt }: Record<string, unknown>): DetailSearch {
  return drop({
    status: DELIVERY_STATUSES.find((one) => one === status),
    event: typeof event === 'string' && /^[a-z_.]{1,60}$/.test(event) ? event : undefined,
    http: HTTP_CLASSES.find((one) => one === http),
    open: isUuid(open) ? open : undefined,
    attempt: Number.isInteger(attempt) ? Number(attempt) : undefined,
  })
}

type Set<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** Without the members that are not set. */
export function drop<Fields extends object>(fields: Fields): Set<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Set<Fields>
}

import type { ConsoleHub } from '@hubline/sdk/console'
import { type EventKind, isEventKind } from '../../api/events.ts'
import { parseDateRange, toTimes } from '../../lib/date-range.ts'
import { isUuid } from '../../lib/uuid.ts'

export const TABS = ['requests', 'events', 'reference', 'tools', 'status'] as const
export type DevelopersTab = (typeof TABS)[number]

export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const
export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** The state of the page in its address: the tab, the filters of the request log, and the event that is shown. */
export type DevelopersSearch = {
  tab?: DevelopersTab
  status?: string
  method?: (typeof METHODS)[number]
  route?: string
  credential_id?: string
  error_code?: string
  request_id?: string
  date?: string
  /** The number of the request in the drawer. */
  open?: number
  kind?: EventKind
  mode?: 'upstream_raw'
  format?: 'compat'
}

export function parseDevelopersSearch(given: Record<string, unknown>): DevelopersSearch {
  const { tab, method, open, kind, mode, format } = given
  const parsed = {
    tab: TABS.find((one) => one === tab),
    status: readStatus(given.status),
    method: METHODS.find((one) => one === method),
    route: readText(given.route),
    credential_id: readUuid(given.credential_id),
    error_code: readText(given.error_code),
    request_id: readUuid(given.request_id),
    date: parseDateRange(given.date),
    open: typeof open === 'number' && Number.isSafeInteger(open) && open > 0 ? open : undefined,
    kind: isEventKind(kind) ? kind : undefined,
    mode: mode === 'upstream_raw' ? mode : undefined,
    format: format === 'compat' ? format : undefined,
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

/** A code alone is read as a number from an address. */
function readStatus(status: unknown): string | undefined {
  const text = typeof status === 'number' ? String(status) : status
  return typeof text === 'string' && /^[1-5](?:xx|\d\d)$/.test(text) ? text : undefined
}

export type RequestFilters = NonNullable<Parameters<ConsoleHub['console']['listRequests']>[1]>

/** The filters of the address as the hub takes them. Whole minutes, so that the same filter is the same query for a while. */
export function toFilters(search: DevelopersSearch, now: Date): RequestFilters {
  const { status, method, route, credential_id, error_code, request_id, date } = search
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000)
  const given = { status, method, route, credential_id, error_code, request_id, ...toTimes(date, minute) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** A request id as a person pastes it. */
export function readUuid(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  return isUuid(id) ? id : undefined
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined
}

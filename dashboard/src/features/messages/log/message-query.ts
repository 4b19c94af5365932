import { hub } from '../../../api/hub.ts'
import { toTimes } from '../../../lib/date-range.ts'
import type { MessageSearch } from '../search.ts'
import type { LogPage } from './live-tail.ts'

const PAGE_LENGTH = 100

export type LogFilters = Omit<MessageSearch, 'open' | 'date' | 'person'> & {
  person?: string
  since?: string
  until?: string
}

/** The filters as the hub takes them. Times are fixed here, since a cursor belongs to its filters. */
export function toFilters({ open, date, person, ...search }: MessageSearch, now: Date): LogFilters {
  return { ...search, ...(person !== undefined && { person: String(person) }), ...toTimes(date, now) }
}

export function readLogPage(filters: LogFilters, cursor?: string, signal?: AbortSignal): Promise<LogPage> {
  return hub.console.searchMessages({ ...filters, limit: PAGE_LENGTH, cursor }, { signal }).firstPage()
}

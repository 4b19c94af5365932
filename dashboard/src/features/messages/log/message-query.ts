import { hub } from '../../../api/hub.ts'
import type { LogFilters } from '../search.ts'
import type { LogPage } from './live-tail.ts'

const PAGE_LENGTH = 100

export function readLogPage(filters: LogFilters, cursor?: string, signal?: AbortSignal): Promise<LogPage> {
  return hub.console.searchMessages({ ...filters, limit: PAGE_LENGTH, cursor }, { signal }).firstPage()
}

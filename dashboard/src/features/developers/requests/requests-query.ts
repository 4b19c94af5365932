import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { toTimes } from '../../../lib/date-range.ts'
import type { DevelopersSearch } from '../search.ts'

const PAGE_SIZE = 50

export type RequestFilters = NonNullable<Parameters<typeof hub.console.listRequests>[1]>

/** The filters of the address as the hub takes them. Whole minutes, so that the same filter is the same query for a while. */
export function toFilters(search: DevelopersSearch): RequestFilters {
  const { status, method, route, credential_id, error_code, request_id, date } = search
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  const given = { status, method, route, credential_id, error_code, request_id, ...toTimes(date, minute) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export function requestsQuery(organizationId: string, filters: RequestFilters) {
  return infiniteQueryOptions({
    queryKey: ['requests', organizationId, 'list', filters],
    queryFn: ({ pageParam: cursor, signal }) =>
      hub.console.listRequests(organizationId, { ...filters, limit: PAGE_SIZE, cursor }, { signal }).firstPage(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

/** One request, which the list may not have loaded. It never changes; null once it is not kept any more. */
export function requestQuery(organizationId: string, number: number) {
  return queryOptions({
    queryKey: ['request', organizationId, number],
    queryFn: async () => (await hub.console.listRequests(organizationId, { number }).toArray())[0] ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function errorGroupsQuery(organizationId: string, since: string | undefined) {
  return queryOptions({
    queryKey: ['requests', organizationId, 'errors', since],
    queryFn: () => hub.console.listRequestErrors(organizationId, since === undefined ? {} : { since }).toArray(),
  })
}

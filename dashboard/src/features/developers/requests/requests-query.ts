import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import type { RequestFilters } from '../search.ts'

const PAGE_SIZE = 50

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

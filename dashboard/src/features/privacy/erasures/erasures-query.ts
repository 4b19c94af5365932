import { infiniteQueryOptions } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'

const PAGE_SIZE = 20
/** A running erasure counts on. */
const POLL_MS = 2000

export function erasuresQuery(organizationId: string) {
  return infiniteQueryOptions({
    queryKey: ['erasures', organizationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      hub.console.listErasures(organizationId, { limit: PAGE_SIZE, cursor }).firstPage(),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => {
      const isRunning = state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'running'))
      return isRunning ? POLL_MS : false
    },
  })
}

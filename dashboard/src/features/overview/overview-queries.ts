import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import type { OverviewSearch } from './search.ts'

const REFRESH_MS = 15_000

/** Counted as things happen, so that reading them often is cheap. */
export function statisticsQuery({ range = '24h', channel_id }: OverviewSearch) {
  return queryOptions({
    queryKey: ['statistics', range, channel_id],
    queryFn: () => hub.console.showStatistics({ range, channel_id }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  })
}

export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: () => hub.console.listAttention().toArray(),
  refetchInterval: 4 * REFRESH_MS,
})

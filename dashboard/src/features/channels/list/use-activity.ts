import type { ChannelActivity } from '@hubline/sdk/console'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { concernsChannels } from '../../../api/channels.ts'
import { ACTIVITY_IDS_MAX } from '../../../api/generated/definitions.gen.ts'
import { hub } from '../../../api/hub.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'

/** Messages come too often to ask after each. */
const REFRESH_MS = 30_000

async function readActivity(ids: readonly string[]): Promise<Map<string, ChannelActivity>> {
  const pages = Array.from({ length: Math.ceil(ids.length / ACTIVITY_IDS_MAX) }, (_, page) =>
    ids.slice(page * ACTIVITY_IDS_MAX, (page + 1) * ACTIVITY_IDS_MAX),
  )
  const found = await Promise.all(
    pages.map((page) => hub.console.listChannelActivity({ ids: page.join(',') }).toArray()),
  )
  return new Map(found.flat().map((activity) => [activity.channel_id, activity]))
}

/** When these channels received and sent last, and how many endpoints they have. */
export function useActivity(ids: readonly string[]): ReadonlyMap<string, ChannelActivity> | undefined {
  const queryKey = ['channel-activity']
  useLiveQueries(queryKey, (event) => concernsChannels(event) || event.kind === 'endpoint.updated')
  return useQuery({
    queryKey: [...queryKey, ids],
    queryFn: () => readActivity(ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  }).data
}

import { useQuery } from '@tanstack/react-query'
import { concernsChannel } from '../../../api/channels.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { useNow } from '../../../ui/data/time.tsx'

export type LinkState = 'open' | 'used' | 'ended'

/** The page behind a link knows its state: 410 says that it was used or that it ended. */
async function readState(url: string): Promise<LinkState> {
  const token = url.slice(url.lastIndexOf('/') + 1)
  const response = await fetch(`/api/v1/connect/${token}`, { referrerPolicy: 'no-referrer' })
  if (response.ok) return 'open'
  const { error } = (await response.json()) as { error: { code: string } }
  if (error.code === 'CONNECT_LINK_USED') return 'used'
  if (response.status === 410 || response.status === 404) return 'ended'
  throw new Error(error.code)
}

/** The state of a link, again whenever its channel changes. */
export function useLinkState(channelId: string, link: { connect_url: string; expires_at: string }): LinkState {
  const queryKey = ['connect-link-states', channelId, link.expires_at]
  const { data } = useQuery({ queryKey, queryFn: () => readState(link.connect_url), staleTime: 0 })
  useLiveQueries(queryKey, concernsChannel(channelId))
  const hasExpired = Date.parse(link.expires_at) <= useNow(10_000)
  return data === undefined || data === 'open' ? (hasExpired ? 'ended' : 'open') : data
}

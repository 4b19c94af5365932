import type { ConnectLinkResponse } from '@hubline/sdk/console'
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'

/** The hub shows a link once. This page remembers those that it created, until it is closed. */
function linkKey(channelId: string) {
  return ['connect-links', channelId] as const
}

/** The list of all links of a channel, without their addresses. */
export function linksKey(channelId: string) {
  return ['channels', channelId, 'connect-links'] as const
}

export function rememberLink(client: QueryClient, channelId: string, link: ConnectLinkResponse): void {
  client.setQueryDefaults(linkKey(channelId), { gcTime: Number.POSITIVE_INFINITY })
  client.setQueryData(linkKey(channelId), link)
  void client.invalidateQueries({ queryKey: linksKey(channelId) })
}

export function useKnownLink(channelId: string): ConnectLinkResponse | undefined {
  return useQuery<ConnectLinkResponse>({ queryKey: linkKey(channelId), queryFn: skipToken }).data
}

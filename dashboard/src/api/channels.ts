import { queryOptions } from '@tanstack/react-query'
import type { LiveEvent } from '../live/stream.ts'
import { hub } from './hub.ts'

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: () => hub.channels.list().toArray(),
})

export function channelQuery(id: string) {
  return queryOptions({
    queryKey: ['channels', id],
    queryFn: async () => (await hub.channels.get(id)).channel,
  })
}

/** Returns true if an event changes what a list of channels shows. */
export function concernsChannels({ kind }: LiveEvent): boolean {
  return kind === 'channel.updated'
}

/** Returns true if an event changes this channel. */
export function concernsChannel(id: string): (event: LiveEvent) => boolean {
  return (event) => concernsChannels(event) && event.channel_id === id
}

import type { Channel, Conversation, Webhook } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import type { EndpointDelivery } from './stream/rows.ts'

const LOG_LENGTH = 40
/** The phone may change without an event of the hub: callbacks can be late, or the phone offline. */
const PHONE_POLL_MS = 2000

/** Everything that the page shows of a channel begins with this key. */
export function sandboxKey(channelId: string) {
  return ['sandbox', channelId] as const
}

export function conversationQuery(channelId: string, customer: string | undefined) {
  return queryOptions({
    queryKey: [...sandboxKey(channelId), 'conversation', customer ?? ''],
    queryFn: () => hub.console.showSandboxConversation(channelId, { customer }),
    // Another chat begins empty, and the page around it stays.
    placeholderData: (before: Conversation | undefined) => before && { ...before, customer: null, messages: [] },
    refetchInterval: PHONE_POLL_MS,
    staleTime: 0,
  })
}

/** The newest messages of the channel, as the API has them. */
export function logQuery(channelId: string) {
  return queryOptions({
    queryKey: [...sandboxKey(channelId), 'log'],
    queryFn: async () => (await hub.messages.list(channelId, { limit: LOG_LENGTH }).firstPage()).items,
    staleTime: 0,
  })
}

type Deliveries = { endpoints: Webhook[]; deliveries: EndpointDelivery[] }

/** The endpoints that get events of the channel, and their newest deliveries. */
export function deliveriesQuery(channelId: string) {
  return queryOptions({
    queryKey: [...sandboxKey(channelId), 'deliveries'],
    async queryFn(): Promise<Deliveries> {
      const endpoints = (await hub.webhooks.list().toArray()).filter((endpoint) => isFor(endpoint, channelId))
      const lists = await Promise.all(
        endpoints.map(async (endpoint) => {
          const deliveries = await hub.webhooks.listDeliveries(endpoint.id).toArray()
          return deliveries.map((delivery) => ({ ...delivery, endpoint: { id: endpoint.id, name: endpoint.name } }))
        }),
      )
      return { endpoints, deliveries: lists.flat() }
    },
    staleTime: 0,
  })
}

function isFor({ all_channels, channel_ids, status }: Webhook, channelId: string): boolean {
  return status !== 'disabled' && (all_channels || channel_ids.includes(channelId))
}

/** Each attempt makes it something else to read. */
export function deliveryQuery({ endpoint, id, status, attempts }: EndpointDelivery) {
  return queryOptions({
    queryKey: ['sandbox-delivery', endpoint.id, id, status, attempts],
    queryFn: () => hub.webhooks.getDelivery(endpoint.id, id),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function faultsQuery(channelId: string) {
  return queryOptions({
    queryKey: [...sandboxKey(channelId), 'faults'],
    queryFn: () => hub.console.showSandboxFaults(channelId),
    staleTime: 0,
  })
}

/** A channel that has a number, also if the hub lost its token. */
export function isConnected({ phone_number_id, status }: Channel): boolean {
  return phone_number_id !== null && status !== 'pending' && status !== 'disconnected'
}

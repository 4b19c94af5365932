import { queryOptions } from '@tanstack/react-query'
import type { LiveEvent } from '../live/stream.ts'
import { hub } from './hub.ts'

/** A number that falls by the second is read again at this interval. */
const QUEUING_MS = 2000

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => hub.console.browseWebhooks().toArray(),
})

export function webhookQuery(id: string) {
  return queryOptions({ queryKey: ['webhooks', id], queryFn: async () => (await hub.console.showWebhook(id)).webhook })
}

/** When the endpoint was paused, newest first, and how many events it did not get. */
export function pausesQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'pauses'],
    queryFn: () => hub.console.browsePauses(id).toArray(),
  })
}

export function deliveryQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'deliveries', deliveryId],
    queryFn: () => hub.console.showDelivery(id, deliveryId),
  })
}

/** The subject of a delivery. Its body goes with an erasure or with time. */
export function payloadQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['payloads', id, deliveryId],
    queryFn: () => hub.console.showDeliveryPayload(id, deliveryId),
    refetchInterval: ({ state }) => state.data !== undefined && state.data.deliveries_being_queued > 0 && QUEUING_MS,
  })
}

/** The body of a delivery and of its responses, once a person asks for them: each look is audited. */
export function revealedQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['revealed', id, deliveryId],
    queryFn: () => hub.console.revealDelivery(id, deliveryId),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    // It is kept no longer than it is shown.
    gcTime: 0,
  })
}

/** The attempts of the last 24 hours, by endpoint. One without attempts has no figures. */
export const endpointFiguresQuery = queryOptions({
  queryKey: ['endpoint-statistics', '24h'],
  queryFn: async () => {
    const { endpoints } = await hub.console.showEndpointStatistics({ range: '24h' })
    return new Map(endpoints.map((figure) => [figure.endpoint_id, figure]))
  },
  refetchInterval: 60_000,
})

export function testAllowanceQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'test-allowance'],
    queryFn: () => hub.console.showTestAllowance(id),
  })
}

/** Returns true if an event changes what a list of endpoints shows. */
export function concernsWebhooks({ kind }: LiveEvent): boolean {
  return kind === 'endpoint.updated' || kind === 'delivery.updated'
}

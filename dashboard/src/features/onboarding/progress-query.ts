import type { List } from '@hubline/sdk'
import type { Webhook } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { chooseChannel, type Progress, type RefusedDelivery, summarizeProgress } from './progress.ts'

export const progressQuery = queryOptions({ queryKey: ['onboarding'], queryFn: readProgress, staleTime: 0 })

async function readProgress(): Promise<Progress> {
  const [channels, keys, endpoints, listeners] = await Promise.all([
    hub.channels.list().toArray(),
    readFirst(hub.apiKeys.list()),
    hub.webhooks.list().toArray(),
    readFirst(hub.auditLog.list({ action: 'listener.created', limit: 1 })),
  ])
  const channel = chooseChannel(channels)
  const [outbound, inbound, deliveries] = await Promise.all([
    channel ? readFirst(hub.messages.list(channel.id, { direction: 'outbound', limit: 10 })) : [],
    channel ? readFirst(hub.messages.list(channel.id, { direction: 'inbound', limit: 1 })) : [],
    listDeliveries(endpoints),
  ])
  return summarizeProgress({ channel, keys, endpoints, listeners, outbound, inbound, deliveries })
}

/** The deliveries to the first endpoints. */
async function listDeliveries(endpoints: readonly Webhook[]): Promise<RefusedDelivery[]> {
  const lists = await Promise.all(
    endpoints.slice(0, 5).map(async ({ id: webhookId, status }) => {
      const deliveries = await hub.webhooks.listDeliveries(webhookId).toArray()
      return deliveries.map((delivery) => ({ ...delivery, webhookId, isHeld: status !== 'active' }))
    }),
  )
  return lists.flat()
}

async function readFirst<Item>(list: List<Item>): Promise<Item[]> {
  for await (const { items } of list.pages()) return items
  return []
}

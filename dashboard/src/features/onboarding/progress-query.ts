import type { MessageEntry, Webhook } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { chooseChannel, type Progress, type RefusedDelivery, summarizeProgress } from './progress.ts'

const NO_MESSAGES: { items: MessageEntry[] } = { items: [] }

export const progressQuery = queryOptions({ queryKey: ['onboarding'], queryFn: readProgress, staleTime: 0 })

async function readProgress(): Promise<Omit<Progress, 'inspector'>> {
  const [channels, { items: keys }, endpoints, { items: listeners }] = await Promise.all([
    hub.channels.list().toArray(),
    hub.apiKeys.list().firstPage(),
    hub.webhooks.list().toArray(),
    hub.auditLog.list({ action: 'listener.created', limit: 1 }).firstPage(),
  ])
  const channel = chooseChannel(channels)
  const [{ items: outbound }, { items: inbound }, deliveries] = await Promise.all([
    channel ? hub.messages.list(channel.id, { direction: 'outbound', limit: 10 }).firstPage() : NO_MESSAGES,
    channel ? hub.messages.list(channel.id, { direction: 'inbound', limit: 1 }).firstPage() : NO_MESSAGES,
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

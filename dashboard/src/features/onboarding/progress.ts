import type { ApiKey, Channel, Delivery, MessageEntry, Webhook } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'

export const KEY_NAME = 'first-key'
const NO_MESSAGES: { items: MessageEntry[] } = { items: [] }
const TAKEN = ['accepted', 'sent', 'delivered', 'read']

/** How far an organization has come. Each part is undefined until its step is done. */
export type Progress = {
  channel: Channel | undefined
  number: string | undefined
  key: ApiKey | undefined
  /** Whether a customer has written, so that any text may be sent. */
  isWindowOpen: boolean
  /** The newest message of the channel to a customer, also if it failed. */
  lastSent: MessageEntry | undefined
  sent: MessageEntry | undefined
  endpoint: Webhook | undefined
  listenedAt: string | undefined
  receivedAt: string | undefined
  /** The newest delivery of a customer's message that an endpoint refused. */
  refused: RefusedDelivery | undefined
}

export type RefusedDelivery = Delivery & { webhookId: string; isHeld: boolean }

export const progressQuery = queryOptions({ queryKey: ['onboarding'], queryFn: readProgress, staleTime: 0 })

async function readProgress(): Promise<Progress> {
  const [channels, { items: keys }, endpoints, { items: listeners }] = await Promise.all([
    hub.channels.list().toArray(),
    hub.apiKeys.list().firstPage(),
    hub.webhooks.list().toArray(),
    hub.auditLog.list({ action: 'listener.created', limit: 1 }).firstPage(),
  ])
  const channel = channels.find(hasNumber) ?? channels.at(-1)
  const [{ items: outbound }, { items: inbound }, deliveries] = await Promise.all([
    channel ? hub.messages.list(channel.id, { direction: 'outbound', limit: 10 }).firstPage() : NO_MESSAGES,
    channel ? hub.messages.list(channel.id, { direction: 'inbound', limit: 1 }).firstPage() : NO_MESSAGES,
    listReceived(endpoints),
  ])
  const listenedAt = listeners[0]?.created_at
  const listened = inbound.find(({ created_at }) => listenedAt !== undefined && created_at > listenedAt)
  return {
    channel,
    number: channel && hasNumber(channel) ? (channel.display_phone_number ?? '') : undefined,
    key: keys.find(({ name, status }) => name === KEY_NAME && status === 'active'),
    isWindowOpen: inbound.length > 0,
    lastSent: outbound[0],
    sent: outbound.find(({ status }) => TAKEN.includes(status)),
    endpoint: endpoints[0],
    listenedAt,
    receivedAt: findTaken(deliveries) ?? listened?.created_at,
    refused: deliveries.find(isRefused),
  }
}

function hasNumber({ phone_number_id, status }: Channel): boolean {
  return phone_number_id !== null && status !== 'pending'
}

/** The deliveries of customers' messages to the first endpoints, newest first. */
async function listReceived(endpoints: readonly Webhook[]): Promise<RefusedDelivery[]> {
  const lists = await Promise.all(
    endpoints.slice(0, 5).map(async ({ id: webhookId, status }) => {
      const deliveries = await hub.webhooks.listDeliveries(webhookId).toArray()
      return deliveries.map((delivery) => ({ ...delivery, webhookId, isHeld: status !== 'active' }))
    }),
  )
  const received = lists.flat().filter(({ event }) => event === 'message.received')
  return received.sort((a, b) => (a.id < b.id ? 1 : -1))
}

/** When an endpoint took a message of a customer. */
function findTaken(deliveries: readonly Delivery[]): string | undefined {
  const taken = deliveries.find(({ status }) => status === 'succeeded')
  return taken?.delivered_at ?? taken?.created_at
}

function isRefused({ last_error_code }: Delivery): boolean {
  return last_error_code !== null
}

export const STEPS = ['create', 'connect', 'send', 'webhook', 'receive'] as const
export type StepName = (typeof STEPS)[number]

export function isDone(step: StepName, progress: Progress): boolean {
  const { channel, number, sent, endpoint, listenedAt, receivedAt } = progress
  if (step === 'create') return channel !== undefined
  if (step === 'connect') return number !== undefined
  if (step === 'send') return sent !== undefined
  if (step === 'webhook') return endpoint !== undefined || listenedAt !== undefined
  return receivedAt !== undefined
}

import type { Channel, MessageEntry, Webhook } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import type { Customer } from './customer.ts'
import { type Chat, countToRead, mergeChat, mergeRows } from './merge.ts'
import type { EndpointDelivery } from './stream/rows.ts'

/** The messages of the open conversation in the log, as far back as the stream goes. */
const LOG = { head: 10, whole: 30 }
const DELIVERIES = { head: 20, whole: 50 }
const DELIVERIES_MAX = 100
const CHAT_LENGTH = 40
const CHAT_HEAD = 20
/** The phone may change without an event of the hub: callbacks can be late, or the phone offline. */
const PHONE_POLL_MS = 2000

/** The ids of what has changed since it was read. */
export type Changed = { messages: Set<string>; deliveries: Set<string> }

/** Everything that the page shows of a channel begins with this key. */
export function sandboxKey(channelId: string) {
  return ['sandbox', channelId] as const
}

/** The customer who wrote or was written to last, when the page is opened. */
export function latestCustomerQuery(channelId: string) {
  return queryOptions({
    queryKey: [...sandboxKey(channelId), 'latest-customer'],
    queryFn: async () => (await hub.console.showSandboxConversation(channelId, { limit: 1 })).customer,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function conversationsKey(channelId: string) {
  return [...sandboxKey(channelId), 'conversation'] as const
}

export function conversationKey(channelId: string, phone: string) {
  return [...conversationsKey(channelId), phone] as const
}

/** One chat. After the first time only its newest messages are read. */
export function conversationQuery(channelId: string, phone: string) {
  const queryKey = conversationKey(channelId, phone)
  return queryOptions({
    queryKey,
    async queryFn({ client }): Promise<Chat> {
      const known = client.getQueryData<Chat>(queryKey)
      const limit = known === undefined ? CHAT_LENGTH : CHAT_HEAD
      const read = await hub.console.showSandboxConversation(channelId, { customer: phone, limit })
      // Earlier messages may have been added meanwhile.
      const latest = client.getQueryData<Chat>(queryKey)
      return latest ? mergeChat(latest, read, CHAT_HEAD) : { ...read, hasEarlier: read.messages.length === limit }
    },
    // Another chat begins empty, and the page around it stays.
    placeholderData: (before: Chat | undefined) =>
      before && { ...before, customer: null, messages: [], hasEarlier: false },
    refetchInterval: PHONE_POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
}

export async function readEarlier(channelId: string, phone: string, before: string) {
  const { messages } = await hub.console.showSandboxConversation(channelId, {
    customer: phone,
    limit: CHAT_LENGTH,
    before,
  })
  return { messages, stepLength: CHAT_LENGTH }
}

export function logKey(channelId: string, phone: string) {
  return [...sandboxKey(channelId), 'log', phone] as const
}

/** The newest messages of the conversation, as the API has them. */
export function logQuery(channelId: string, customer: Customer, changed: Changed) {
  const queryKey = logKey(channelId, customer.phone)
  return queryOptions({
    queryKey,
    async queryFn({ client }): Promise<MessageEntry[]> {
      const known = client.getQueryData<MessageEntry[]>(queryKey)
      const asked = [...changed.messages]
      const limit = countToRead(known, changed.messages, LOG)
      const { items } = await hub.messages.list(channelId, { person: toPerson(customer), limit }).firstPage()
      for (const id of asked) changed.messages.delete(id)
      return mergeRows(known ?? [], items, LOG.whole)
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** By what the log finds the messages of a customer. */
function toPerson({ phone, hides_phone, user_id }: Customer): string {
  return hides_phone && user_id !== null ? user_id : phone
}

/** The endpoints that get events of the channel. */
export function endpointsQuery(channelId: string) {
  return queryOptions({
    queryKey: [...sandboxKey(channelId), 'endpoints'],
    queryFn: async () => (await hub.console.browseWebhooks().toArray()).filter((one) => isFor(one, channelId)),
    staleTime: 0,
  })
}

function isFor({ all_channels, channel_ids, status }: Webhook, channelId: string): boolean {
  return status !== 'disabled' && (all_channels || channel_ids.includes(channelId))
}

export function deliveriesKey(channelId: string, endpointId: string) {
  return [...sandboxKey(channelId), 'deliveries', endpointId] as const
}

/** The newest deliveries of the channel to one endpoint. */
export function deliveriesQuery(channelId: string, { id, name }: { id: string; name: string }, changed: Changed) {
  const queryKey = deliveriesKey(channelId, id)
  return queryOptions({
    queryKey,
    async queryFn({ client }): Promise<EndpointDelivery[]> {
      const known = client.getQueryData<EndpointDelivery[]>(queryKey)
      const asked = [...changed.deliveries]
      const limit = countToRead(known, changed.deliveries, DELIVERIES)
      const { items } = await hub.console.searchDeliveries(id, { channel_id: channelId, limit }).firstPage()
      for (const deliveryId of asked) changed.deliveries.delete(deliveryId)
      const read = items.map((delivery) => ({ ...delivery, endpoint: { id, name } }))
      return mergeRows(known ?? [], read, DELIVERIES_MAX)
    },
    staleTime: 0,
    gcTime: 0,
  })
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

import type { MessageEntry } from '@hubline/sdk/console'
import { type QueryKey, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { concernsChannel } from '../../api/channels.ts'
import { useLiveEvents } from '../../live/live.ts'
import { throttle } from '../../live/throttle.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import type { Customer } from './customer.ts'
import { type Chat, EVERY, prependMessages } from './merge.ts'
import {
  type Changed,
  conversationKey,
  conversationQuery,
  deliveriesKey,
  deliveriesQuery,
  endpointsQuery,
  faultsQuery,
  logKey,
  logQuery,
  readEarlier,
} from './queries.ts'
import type { EndpointDelivery } from './stream/rows.ts'

/** At most one look at the same list in this time, however many events arrive. */
const GATHER_MS = 500

/** The chat with one customer, which stays the same while others write. */
export function useChat(channelId: string, phone: string) {
  const client = useQueryClient()
  const chat = useQuery({ ...conversationQuery(channelId, phone) })
  const earlier = useMutation({
    mutationFn: (before: string) => readEarlier(channelId, phone, before),
    onSuccess: ({ messages, stepLength }) =>
      client.setQueryData<Chat>(conversationKey(channelId, phone), (known) => {
        return known && prependMessages(known, messages, stepLength)
      }),
  })
  return { chat, earlier }
}

/**
 * Reads the records that the hub and the endpoints have of the chat. Events tell which lists have changed; of each the newest rows are read
 * again, at most once in a while.
 */
export function useRecords(channelId: string, customer: Customer) {
  const client = useQueryClient()
  const { phone } = customer
  const changed = useRef<Changed>({ messages: new Set(), deliveries: new Set() }).current
  const log = useQuery(logQuery(channelId, customer, changed))
  const endpoints = useQuery(endpointsQuery(channelId))
  const deliveries = useQueries({
    queries: (endpoints.data ?? []).map((endpoint) => deliveriesQuery(channelId, endpoint, changed)),
  })
  const known = new Set(endpoints.data?.map(({ id }) => id))

  const waiting = useRef(new Set<string>()).current
  const look = useMemo(() => {
    return throttle(GATHER_MS, async () => {
      const ids = [...waiting]
      waiting.clear()
      const keys: QueryKey[] = ids.flatMap((id): QueryKey[] => {
        if (id !== MESSAGES) return [deliveriesKey(channelId, id)]
        return [conversationKey(channelId, phone), logKey(channelId, phone)]
      })
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
    })
  }, [client, channelId, phone, waiting])
  useEffect(() => look.cancel, [look])

  useLiveEvents(({ kind, channel_id, message_id, endpoint_id, delivery_id }) => {
    if (kind === 'reload') {
      changed.messages.add(EVERY)
      changed.deliveries.add(EVERY)
      for (const id of [MESSAGES, ...known]) waiting.add(id)
    } else if (kind.startsWith('message.') && channel_id === channelId) {
      if (message_id !== undefined) changed.messages.add(message_id)
      waiting.add(MESSAGES)
    } else if (kind.startsWith('delivery.') && endpoint_id !== undefined && known.has(endpoint_id)) {
      if (delivery_id !== undefined) changed.deliveries.add(delivery_id)
      waiting.add(endpoint_id)
    }
    if (waiting.size > 0) look.call()
  })
  useLiveQueries(endpointsQuery(channelId).queryKey, ({ kind }) => kind === 'endpoint.updated')
  useLiveQueries(faultsQuery(channelId).queryKey, concernsChannel(channelId))

  const error = [log, endpoints, ...deliveries].find((query) => query.error && query.data === undefined)?.error ?? null
  return {
    log: log.data ?? [],
    endpoints: endpoints.data ?? [],
    deliveries: selectDeliveries(
      deliveries.flatMap(({ data }) => data ?? []),
      log.data ?? [],
      customer,
    ),
    isLoading: [log, endpoints, ...deliveries].some(({ isPending }) => isPending),
    error,
    retry: () => [log, endpoints, ...deliveries].forEach((query) => void (query.error && query.refetch())),
  }
}

/** Stands among the endpoints whose deliveries have changed. */
const MESSAGES = 'messages'

/** The deliveries of events of the conversation. */
function selectDeliveries(
  deliveries: readonly EndpointDelivery[],
  log: readonly MessageEntry[],
  { phone, user_id }: Customer,
): EndpointDelivery[] {
  const userIds = new Set([user_id, ...log.map(({ contact }) => contact?.user_id)])
  return deliveries.filter(({ person }) => {
    return person !== null && (person.phone === phone || (person.user_id !== null && userIds.has(person.user_id)))
  })
}

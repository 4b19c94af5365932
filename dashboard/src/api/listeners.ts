import type { ListenerView } from '@hubline/sdk/console'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { defineTexts } from '../lib/texts.ts'
import { useLiveQueries } from '../live/use-live-queries.ts'
import { hub } from './hub.ts'

export const useListenerTexts = defineTexts('listeners')

/** A listener that ends by itself is announced by nothing. */
const REFRESH_MS = 15_000

const listenersQuery = queryOptions({
  queryKey: ['listeners'],
  queryFn: () => hub.console.listListeners().toArray(),
  refetchInterval: REFRESH_MS,
})

/** The terminals that receive events now, with `hubline listen`. */
export function useListeners(): readonly ListenerView[] {
  const { data } = useQuery(listenersQuery)
  useLiveQueries(listenersQuery.queryKey, ({ kind }) => kind === 'endpoint.updated')
  return data ?? []
}

import type { MessageEntry } from '@hubline/sdk/console'
import { useQueries } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'

const NEWEST = 10

/** The message of each delivery that is about one of the newest messages. */
export function useLinks(log: readonly MessageEntry[], hasEndpoints: boolean): ReadonlyMap<string, string> {
  const details = useQueries({
    queries: log.slice(0, NEWEST).map(({ id, status, sent_at, delivered_at, read_at }) => ({
      // Each of its statuses is an event with deliveries of its own.
      queryKey: ['sandbox-links', id, status, sent_at, delivered_at, read_at],
      queryFn: () => hub.console.showMessage(id),
      staleTime: Number.POSITIVE_INFINITY,
      enabled: hasEndpoints,
    })),
  })
  return new Map(
    details.flatMap(({ data }) => (data?.message.deliveries ?? []).map(({ id }) => [id, data?.message.id ?? ''])),
  )
}

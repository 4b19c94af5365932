import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useLiveEvents } from '../../../live/live.ts'
import { type Throttled, throttle } from '../../../live/throttle.ts'
import { scrollToFirstRow } from '../../../ui/table/virtual-table.tsx'
import { type LogFilters, type MessageSearch, toFilters } from '../search.ts'
import {
  type Arrivals,
  addArrivals,
  findArrivals,
  joinArrivals,
  type Log,
  type LogPage,
  NO_ARRIVALS,
  updateRows,
} from './live-tail.ts'

const PAGE_LENGTH = 100
/** At most one look at the newest messages in this time, however many arrive. */
const GATHER_MS = 500
/** Rows further down whose status is looked up again, of one look. */
const LOOKUPS_MAX = 8

type Options = {
  isLive: boolean
  /** Nothing is read at this moment, so rows may move. */
  isCalm: boolean
}

/** The log page by page, and what is new in it. */
export function useMessageLog(search: MessageSearch, { isLive, isCalm }: Options) {
  const { open, ...shown } = search
  const text = JSON.stringify(shown)
  const filters = useMemo(() => toFilters(JSON.parse(text), new Date()), [text])
  const queryKey = useMemo(() => ['messages', filters], [filters])
  const log = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readLogPage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // The tail brings what is new; reading a thousand pages again would bring nothing else.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { arrivals, release } = useLiveTail(queryKey, filters, isLive)
  const rows = useMemo(() => log.data?.pages.flatMap(({ items }) => items) ?? [], [log.data])
  const canMove = isCalm || rows.length === 0
  useEffect(() => {
    if (canMove && arrivals.rows.length > 0) release()
  }, [canMove, arrivals, release])
  return { log, rows, filters, arrivals, release }
}

function useLiveTail(queryKey: unknown[], filters: LogFilters, isLive: boolean) {
  const client = useQueryClient()
  const [arrivals, setArrivals] = useState<Arrivals>(NO_ARRIVALS)
  const changed = useRef(new Set<string>())
  const look = useRef<Throttled | undefined>(undefined)

  useEffect(() => {
    if (!isLive) return
    const stopping = new AbortController()
    const { signal } = stopping
    look.current = throttle(GATHER_MS, async () => {
      const log = client.getQueryData<Log>(queryKey)
      if (log === undefined) return
      const ids = [...changed.current]
      changed.current.clear()
      const head = await readLogPage(filters, undefined, signal)
      const others = await readChanged(log, head.items, ids, signal)
      // Other filters have other arrivals.
      if (signal.aborted) return
      client.setQueryData<Log>(queryKey, (latest) => latest && updateRows(latest, [...head.items, ...others]))
      const found = findArrivals(client.getQueryData<Log>(queryKey) ?? log, head)
      if (found.rows.length > 0) setArrivals((earlier) => joinArrivals(earlier, found))
    })
    // These messages came while the tail was off. At first there is no list yet, and nothing to add to it.
    if (client.getQueryData(queryKey) !== undefined) look.current.call()
    return () => {
      stopping.abort()
      look.current?.cancel()
      look.current = undefined
      changed.current.clear()
      setArrivals(NO_ARRIVALS)
    }
  }, [client, queryKey, filters, isLive])

  useLiveEvents(({ kind, channel_id, message_id }) => {
    const isOther = filters.channel_id !== undefined && channel_id !== undefined && channel_id !== filters.channel_id
    if (isOther || (kind !== 'reload' && !kind.startsWith('message.'))) return
    if (message_id !== undefined) changed.current.add(message_id)
    look.current?.call()
  })

  const release = useCallback(() => {
    client.setQueryData<Log>(queryKey, (log) => log && addArrivals(log, arrivals))
    setArrivals(NO_ARRIVALS)
    scrollToFirstRow()
  }, [client, queryKey, arrivals])
  return { arrivals, release }
}

/** The latest statuses of rows that are in the log, but not on its first page. */
async function readChanged(log: Log, head: Log['pages'][number]['items'], ids: string[], signal: AbortSignal) {
  const onHead = new Set(head.map(({ id }) => id))
  const known = new Set(log.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const wanted = ids.filter((id) => known.has(id) && !onHead.has(id)).slice(-LOOKUPS_MAX)
  const pages = await Promise.all(wanted.map((id) => readLogPage({ id }, undefined, signal)))
  return pages.flatMap(({ items }) => items)
}

function readLogPage(filters: LogFilters, cursor?: string, signal?: AbortSignal): Promise<LogPage> {
  return hub.console.searchMessages({ ...filters, limit: PAGE_LENGTH, cursor }, { signal }).firstPage()
}

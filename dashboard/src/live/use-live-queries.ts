import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useLiveEvents } from './live.ts'
import type { LiveEvent } from './stream.ts'
import { throttle } from './throttle.ts'

/** At most one reload of the same data in this time, however many events arrive. */
const GATHER_MS = 400
/** The same of figures, which every message and every attempt changes. */
const FIGURES_MS = 2000

/** Loads queries again when something that they show has changed. */
export function useLiveQueries(
  queryKey: QueryKey,
  concerns: (event: LiveEvent) => boolean,
  { gatherMs = GATHER_MS } = {},
): void {
  const client = useQueryClient()
  const latest = useRef(queryKey)
  latest.current = queryKey
  // A reload ends before the next one begins: a query that is slower than events arrive would never have an answer.
  const reload = useMemo(
    () => throttle(gatherMs, () => client.invalidateQueries({ queryKey: latest.current })),
    [client, gatherMs],
  )
  useEffect(() => reload.cancel, [reload])
  useLiveEvents((event) => {
    if (event.kind === 'reload' || concerns(event)) reload.call()
  })
}

/** Loads figures again when messages or attempts that they count have changed. */
export function useLiveFigures(queryKey: QueryKey): void {
  useLiveQueries(queryKey, ({ kind }) => /^(?:message|delivery)\./.test(kind), { gatherMs: FIGURES_MS })
}

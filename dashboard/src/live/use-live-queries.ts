import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useLiveEvents } from './live.ts'
import type { LiveEvent } from './stream.ts'
import { throttle } from './throttle.ts'

/** At most one reload of the same data in this time, however many events arrive. */
const GATHER_MS = 400

/** Loads queries again when something that they show has changed. */
export function useLiveQueries(queryKey: QueryKey, concerns: (event: LiveEvent) => boolean): void {
  const client = useQueryClient()
  const latest = useRef(queryKey)
  latest.current = queryKey
  // A reload ends before the next one begins: a query that is slower than events arrive would never have an answer.
  const reload = useMemo(
    () => throttle(GATHER_MS, () => client.invalidateQueries({ queryKey: latest.current })),
    [client],
  )
  useEffect(() => reload.cancel, [reload])
  useLiveEvents((event) => {
    if (event.kind === 'reload' || concerns(event)) reload.call()
  })
}

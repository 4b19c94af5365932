import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLiveEvents } from './live.ts'
import type { LiveEvent } from './stream.ts'

/** At most one reload of the same data in this time, however many events arrive. */
const GATHER_MS = 400

/** Loads queries again when something that they show has changed. */
export function useLiveQueries(queryKey: QueryKey, concerns: (event: LiveEvent) => boolean): void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLiveEvents((event) => {
    if (event.kind !== 'reload' && !concerns(event)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey })
    }, GATHER_MS)
  })
}

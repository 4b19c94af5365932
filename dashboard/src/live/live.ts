import { useEffect, useRef } from 'react'
import { createStore } from '../lib/store.ts'
import { follow, type LiveState } from './follow.ts'
import type { LiveEvent } from './stream.ts'

type Shared = { event: LiveEvent } | { state: LiveState } | { ask: true }

const state = createStore<LiveState>('connecting')
const eventListeners = new Set<(event: LiveEvent) => void>()

function publish(event: LiveEvent): void {
  for (const listener of eventListeners) listener(event)
}

/**
 * One stream of an organization for all tabs of the browser: the tab that holds the lock reads it and tells the others.
 * When that tab closes, the next one takes its place.
 */
export function startLive(organizationId: string): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = new BroadcastChannel(`hubline.live.${organizationId}`)
  let isLeader = false

  function share(message: Shared): void {
    channel.postMessage(message)
  }
  function announce(next: LiveState): void {
    state.set(next)
    share({ state: next })
  }
  channel.onmessage = ({ data }: MessageEvent<Shared>) => {
    if ('event' in data) publish(data.event)
    else if ('state' in data) state.set(data.state)
    else if (isLeader) share({ state: state.get() })
  }
  share({ ask: true })
  void navigator.locks
    .request(`hubline.live.${organizationId}`, { signal }, async () => {
      isLeader = true
      await follow(`/console/organizations/${organizationId}/events`, signal, announce, (event) => {
        publish(event)
        share({ event })
      })
    })
    .catch(() => undefined)
  return () => {
    stopping.abort()
    channel.close()
    state.set('connecting')
  }
}

export const useLiveState = state.use

/** Calls back for each change of the organization, and with `reload` after a gap. */
export function useLiveEvents(handle: (event: LiveEvent) => void): void {
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    function listener(event: LiveEvent): void {
      latest.current(event)
    }
    eventListeners.add(listener)
    return () => void eventListeners.delete(listener)
  }, [])
}

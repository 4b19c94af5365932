import { useEffect, useRef } from 'react'
import { createStore } from '../lib/store.ts'
import { type LiveEvent, readStream } from './stream.ts'

/** `live` while the stream is open; `polling` once it could not be opened again. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling'
type Shared = { event: LiveEvent } | { state: LiveState } | { ask: true }

const POLL_MS = 5000
/** The waits before the stream is opened again; after the last one the pages poll. */
const RETRY_MS = [500, 1000, 2000]

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
      await follow(organizationId, signal, announce, (event) => {
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

async function follow(
  organizationId: string,
  signal: AbortSignal,
  announce: (state: LiveState) => void,
  tell: (event: LiveEvent) => void,
): Promise<void> {
  let failures = 0
  let lastId = ''
  while (!signal.aborted) {
    try {
      await readStream(`/console/organizations/${organizationId}/events`, lastId, signal, {
        onOpen() {
          // What happened before the stream may have been missed.
          tell({ kind: 'reload' })
          failures = 0
          announce('live')
        },
        onEvent(event, id) {
          lastId = id
          tell(event)
        },
      })
    } catch {
      failures += 1
    }
    if (signal.aborted) return
    const retryMs = RETRY_MS[failures]
    announce(retryMs === undefined ? 'polling' : 'reconnecting')
    if (retryMs === undefined) tell({ kind: 'reload' })
    await wait(retryMs ?? POLL_MS, signal)
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
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

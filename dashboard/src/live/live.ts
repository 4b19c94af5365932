import { useEffect, useRef } from 'react'
import { createStore } from '../lib/store.ts'
import { noteAnswer, readAnsweredAt, useSilence } from './contact.ts'
import { follow, type LiveState, RETRY } from './follow.ts'
import type { LiveEvent } from './stream.ts'

/** `answeredAt` is when the hub answered the tab that reads the stream. */
type Shared =
  | { event: LiveEvent }
  | { state: LiveState; answeredAt: number; retryAt: number | undefined }
  | { ask: true }
  | { retry: true }

const state = createStore<LiveState>('connecting')
/** The time of the next attempt to open the stream. */
const nextTry = createStore<number | undefined>(undefined)
let askForRetry = () => {}
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
  function shareState(): void {
    share({ state: state.get(), answeredAt: readAnsweredAt(), retryAt: nextTry.get() })
  }
  function announce(next: LiveState, retryAt?: number): void {
    nextTry.set(retryAt)
    state.set(next)
    shareState()
  }
  function retry(): void {
    dispatchEvent(new Event(RETRY))
  }
  askForRetry = () => (isLeader ? retry() : share({ retry: true }))
  channel.onmessage = ({ data }: MessageEvent<Shared>) => {
    if ('event' in data) publish(data.event)
    else if ('state' in data) {
      noteAnswer(data.answeredAt)
      nextTry.set(data.retryAt)
      state.set(data.state)
    } else if (isLeader) 'retry' in data ? retry() : shareState()
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
export const useNextTry = nextTry.use

/** Tries to reach the hub now, in the tab that reads the stream. */
export function retryNow(): void {
  askForRetry()
}

/** Returns since when the hub has not answered any page; undefined while it answers. */
export function useGoneSince(): number | undefined {
  const current = state.use()
  return useSilence(current === 'live' || current === 'connecting')
}

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

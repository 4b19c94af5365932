import { useEffect, useState } from 'react'
import { createStore } from '../lib/store.ts'

/** The hub sends a line of the stream every ten seconds, so that longer silence is a hub that is gone. */
export const SILENCE_MAX_MS = 15_000

/** The time of the last answer that this page knows of. */
const answeredAt = createStore(Date.now())

/** A proxy answers with these in place of a hub that it cannot reach. */
function isOfProxy(status: number): boolean {
  return status >= 502 && status <= 504
}

export function noteAnswer(at = Date.now()): void {
  answeredAt.set(Math.max(at, answeredAt.get()))
}

export function noteResponse(response: Response): Response {
  if (!isOfProxy(response.status)) noteAnswer()
  return response
}

export const readAnsweredAt = answeredAt.get

/** Returns since when the hub has not answered, once that is too long. While the stream is open, it answers. */
export function useSilence(isStreaming: boolean): number | undefined {
  const at = answeredAt.use()
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (isStreaming) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isStreaming])
  return !isStreaming && now - at >= SILENCE_MAX_MS ? at : undefined
}

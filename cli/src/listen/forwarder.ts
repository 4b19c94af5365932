import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook } from '@hubline/sdk'
import { explainFailure } from '../probes.ts'

/** A delivery of the hub, or a replay of one. */
export type Forwarded = { id: string; event: string; headers: Record<string, string>; body: string; isReplay?: boolean }

export type Outcome = { status: number; ms: number } | { failure: string; waitMs: number }

/** As many as a receiver gets at once in production, more or less. */
const CONCURRENCY = 10
const WAIT_MAX_MS = 10_000

type Options = {
  url: string
  timeoutMs: number
  secret: () => string
  signal: AbortSignal
  report: (delivery: Forwarded, outcome: Outcome) => void
}

/**
 * Posts deliveries to the local server until it answers, with any status. A server that is down is tried again with
 * growing waits: it probably restarts. Node waits for a response in `fetch` as long as its own timeout allows.
 */
export function createForwarder({ url, timeoutMs, secret, signal, report }: Options) {
  const waiting: (() => void)[] = []
  let running = 0

  async function post({ headers, body }: Forwarded): Promise<Outcome> {
    const startedAt = performance.now()
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      return { status: response.status, ms: Math.round(performance.now() - startedAt) }
    } catch (err) {
      return { failure: explainFailure(err), waitMs: 0 }
    }
  }

  async function takeSlot(): Promise<void> {
    running += 1
    if (running > CONCURRENCY) await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leaveSlot(): void {
    running -= 1
    waiting.shift()?.()
  }

  /** The same delivery with a new time: receivers refuse a signature that is minutes old. */
  async function sign(delivery: Forwarded, deliveryId: string): Promise<Forwarded> {
    const signature = await signWebhook(secret(), delivery.body, { deliveryId })
    return { ...delivery, id: deliveryId, headers: { ...delivery.headers, ...signature } }
  }

  return {
    /** Resolves to true when the server has answered, to false when the program ends before. */
    async forward(delivery: Forwarded): Promise<boolean> {
      let current = delivery
      for (let attempt = 0; !signal.aborted; attempt++) {
        await takeSlot()
        const outcome = await post(current).finally(leaveSlot)
        if (signal.aborted && 'failure' in outcome) break
        const waitMs = Math.min(1000 * 2 ** attempt, WAIT_MAX_MS)
        report(current, 'failure' in outcome ? { ...outcome, waitMs } : outcome)
        if ('status' in outcome) return true
        await sleep(waitMs, undefined, { signal }).catch(() => undefined)
        current = await sign(current, current.id)
      }
      return false
    },

    /** A delivery of its own of the same event, as a replay of the hub is. */
    async replay(delivery: Forwarded): Promise<void> {
      const replayed = { ...(await sign(delivery, randomUUID())), isReplay: true }
      const outcome = await post(replayed)
      report(replayed, outcome)
    },
  }
}

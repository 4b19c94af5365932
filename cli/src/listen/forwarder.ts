import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook } from '@hubline/sdk'
import { explainFailure } from '../probes.ts'

/** A delivery of the hub, or a replay of one. */
export type Forwarded = { id: string; event: string; headers: Record<string, string>; body: string; isReplay?: boolean }

type Answer = { status: number; ms: number } | { failure: string }
/** The result of a request. Unless `waitMs` is 0, the delivery is posted again after it. */
export type Outcome = Answer & { waitMs: number }

/** A receiver gets about as many at once in production. */
const CONCURRENCY = 10
const WAIT_MAX_MS = 10_000
/** The wait between posts of a delivery to a server that does not know the secret yet. */
const REFUSED_WAIT_MS = 5000

type Options = {
  url: string
  timeoutMs: number
  secret: () => string
  /** Returns true if a server that refuses a delivery may still be about to get the secret. */
  isSecretNew: () => boolean
  signal: AbortSignal
  report: (delivery: Forwarded, outcome: Outcome) => void
}

/**
 * Posts deliveries to the local server until it answers, with any status. A server that is down is tried again with
 * growing waits: it probably restarts. One that answers 401 or 403 while the secret is new is tried again too: it
 * probably has another secret. Node waits for a response in `fetch` as long as its own timeout allows.
 */
export function createForwarder({ url, timeoutMs, secret, isSecretNew, signal, report }: Options) {
  const waiting: (() => void)[] = []
  let running = 0

  async function post({ headers, body }: Forwarded): Promise<Answer> {
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
      return { failure: explainFailure(err) }
    }
  }

  function decideWaitMs(answer: Answer, attempt: number): number {
    if ('failure' in answer) return Math.min(1000 * 2 ** attempt, WAIT_MAX_MS)
    return isRefusal(answer.status) && isSecretNew() ? REFUSED_WAIT_MS : 0
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
        const answer = await post(current).finally(leaveSlot)
        if (signal.aborted && 'failure' in answer) break
        const waitMs = decideWaitMs(answer, attempt)
        report(current, { ...answer, waitMs })
        if (waitMs === 0) return true
        await sleep(waitMs, undefined, { signal }).catch(() => undefined)
        current = await sign(current, current.id)
      }
      return false
    },

    /** A delivery of its own of the same event, as a replay of the hub is. */
    async replay(delivery: Forwarded): Promise<void> {
      const replayed = { ...(await sign(delivery, randomUUID())), isReplay: true }
      report(replayed, { ...(await post(replayed)), waitMs: 0 })
    },
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403
}

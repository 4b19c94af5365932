import { createHmac } from 'node:crypto'
import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Signal } from '../signal.ts'
import { type AppCallback, callbackOf, type Update } from './callbacks.ts'
import type { App, Timings } from './context.ts'
import { batchesOf, envelopeOf, folded } from './envelope.ts'
import { retryWaitMs } from './retry-schedule.ts'
import type { State } from './state.ts'

/** How the simulator misbehaves towards the receiver; the defaults are a well-behaved platform. */
export interface WebhookPolicy {
  batch: number
  duplicates: number
  shuffle: boolean
  fold: boolean
  retry: boolean
}

export interface WebhookRecord {
  id: string
  url: string
  fields: string[]
  body: string
  signature: 'valid' | 'wrong' | 'none'
  state: 'sending' | 'delivered' | 'retrying' | 'dropped' | 'withheld'
  created_at: number
  attempts: { at: number; status: number | null; error: string | null }[]
}

interface Parts {
  clock: Clock
  random: Random
  state: State
  app: App
  timings: Timings
  signal: Signal
}

const DEFAULT_POLICY: WebhookPolicy = { batch: 1, duplicates: 0, shuffle: false, fold: false, retry: true }
/** Posts at once: enough for a quick receiver, and not so many that a slow one fills our memory. */
const IN_FLIGHT_MAX = 64
const RECORDS_MAX = 5_000
const RECORDS_BYTES_MAX = 64 * 1024 * 1024

export type Webhooks = ReturnType<typeof createWebhooks>

/**
 * From a change to a receiver. An update waits in `pending` until the flush
 * that its arrival scheduled, is put into a post together with others when the
 * policy says so, and is posted until the answer is exactly 200 or a week has
 * passed. A record is sending, then delivered; or retrying, until it is
 * delivered or dropped; an update that nobody subscribed to is withheld.
 */
export function createWebhooks({ clock, random, state, app, timings, signal }: Parts) {
  const records = new BoundedMap<WebhookRecord>({
    entriesMax: RECORDS_MAX,
    weightMax: RECORDS_BYTES_MAX,
    weigh: (post) => post.body.length,
  })
  const callback: AppCallback = { url: undefined, fields: undefined }
  const policy = { ...DEFAULT_POLICY }
  const stop = new AbortController()
  let pending: { url: string; update: Update }[] = []
  const waiting: (() => void)[] = []
  let inFlight = 0
  let count = 0

  function record(post: Pick<WebhookRecord, 'url' | 'fields' | 'body' | 'signature' | 'state'>): WebhookRecord {
    const made = { id: `webhook-${++count}`, created_at: clock.now(), attempts: [], ...post }
    records.set(made.id, made)
    return made
  }

  async function flush(): Promise<void> {
    const due = policy.shuffle ? random.shuffled(pending) : pending
    pending = []
    for (const url of new Set(due.map((item) => item.url))) {
      const own = due.filter((item) => item.url === url)
      for (const batch of batchesOf(own, policy.batch)) {
        const updates = (policy.fold ? folded(batch) : batch).map((item) => item.update)
        const fields = updates.map((update) => update.field)
        const body = envelopeOf(updates, clock.now())
        const sending = deliver(record({ url, fields, body, signature: 'valid', state: 'sending' }))
        // On a manual clock posts leave one after the other, so that their order is the same in every run.
        if (clock.mode === 'manual') await sending
      }
    }
  }

  async function deliver(post: WebhookRecord): Promise<void> {
    await attempt(post)
    for (let copy = 0; copy < policy.duplicates && post.state === 'delivered'; copy++) await attempt(post)
  }

  async function attempt(post: WebhookRecord): Promise<void> {
    if (inFlight < IN_FLIGHT_MAX) inFlight += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const outcome = await postOnce(post, app, stop.signal, timings.webhookTimeoutMs)
    // The place goes straight to the next in line, so that nobody slips in between.
    const next = waiting.shift()
    if (next) next()
    else inFlight -= 1
    post.attempts.push({ at: clock.now(), ...outcome })
    if (post.state !== 'delivered') post.state = outcome.status === 200 ? 'delivered' : 'retrying'
    if (post.state === 'retrying') retry(post)
    signal.changed()
  }

  function retry(post: WebhookRecord): void {
    const wait = retryWaitMs(post.attempts.length, clock.now() - post.created_at)
    if (wait === undefined || !policy.retry || stop.signal.aborted) post.state = 'dropped'
    else clock.after(wait, () => (post.state === 'retrying' ? attempt(post) : undefined))
  }

  return {
    callback,
    policy,
    records,
    deliver,

    emit(update: Update): void {
      const url = callbackOf(state, callback, update)
      if (url === undefined) {
        const body = envelopeOf([update], clock.now())
        record({ url: '', fields: [update.field], body, signature: 'valid', state: 'withheld' })
        return
      }
      if (pending.length === 0) clock.after(policy.batch > 1 || policy.shuffle ? timings.webhookBatchMs : 0, flush)
      pending.push({ url, update })
    },

    /** Posts bytes as they are given: for what no well-behaved platform would send. */
    async post(body: string, signature: WebhookRecord['signature']): Promise<WebhookRecord> {
      const post = record({ url: callback.url ?? '', fields: [], body, signature, state: 'sending' })
      await attempt(post)
      return post
    },

    isIdle: () => pending.length === 0 && inFlight === 0,

    clear(): void {
      records.clear()
      pending = []
      Object.assign(policy, DEFAULT_POLICY)
    },

    close: () => stop.abort(),
  }
}

async function postOnce(post: WebhookRecord, app: App, stop: AbortSignal, timeoutMs: number) {
  try {
    const response = await fetch(post.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        ...signatures(post, app.secret),
      },
      body: post.body,
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    })
    await response.arrayBuffer()
    return { status: response.status, error: null }
  } catch (err) {
    // A receiver that is down or slow is an outcome to write down, not a failure of ours.
    return { status: null, error: err instanceof Error ? err.message : String(err) }
  }
}

function signatures(post: WebhookRecord, secret: string): Record<string, string> {
  if (post.signature === 'none') return {}
  const key = post.signature === 'wrong' ? `${secret} but wrong` : secret
  const sign = (algorithm: string) => createHmac(algorithm, key).update(post.body).digest('hex')
  return { 'x-hub-signature-256': `sha256=${sign('sha256')}`, 'x-hub-signature': `sha1=${sign('sha1')}` }
}

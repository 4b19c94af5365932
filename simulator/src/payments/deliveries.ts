import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Signal } from '../signal.ts'
import type { PaymentAccount } from './context.ts'
import type { PaymentEvent } from './objects/event.ts'
import { retryWaitMs } from './retry-schedule.ts'
import { type Corruption, signedPost } from './signature.ts'
import type { PaymentState } from './state.ts'

/** How the provider misbehaves towards the receiver; the defaults are a well-behaved one. */
export interface DeliveryPolicy {
  /** How often each delivered event is posted again. */
  duplicates: number
  delayMs: number
  order: 'kept' | 'reversed' | 'shuffled'
  /** Types of events that are lost on the way. */
  drop: string[]
  corrupt: Corruption
  retry: boolean
  /** The clock that the signature tells. */
  signedAt: 'wall' | 'clock'
}

export interface DeliveryRecord {
  id: string
  event: string
  type: string
  url: string
  body: string
  state: 'waiting' | 'delivered' | 'retrying' | 'failed' | 'dropped' | 'withheld'
  created_at: number
  attempts: { at: number; status: number | null; error: string | null; corrupt: Corruption }[]
}

interface Parts {
  clock: Clock
  random: Random
  state: PaymentState
  account: PaymentAccount
  timings: { webhookBatchMs: number; webhookTimeoutMs: number }
  signal: Signal
}

const DEFAULT_POLICY: DeliveryPolicy = {
  duplicates: 0,
  delayMs: 0,
  order: 'kept',
  drop: [],
  corrupt: 'none',
  retry: true,
  signedAt: 'wall',
}
const RECORDS_MAX = 5_000
const RECORDS_BYTES_MAX = 64 * 1024 * 1024

export type Deliveries = ReturnType<typeof createDeliveries>

/**
 * From an event to the receiver. A delivery waits until its flush, then it is
 * delivered (any 2xx), or retrying until it is delivered or, after three days,
 * failed. One that the policy loses is dropped; without a callback it is
 * withheld.
 */
export function createDeliveries({ clock, random, state, account, timings, signal }: Parts) {
  const records = new BoundedMap<DeliveryRecord>({
    entriesMax: RECORDS_MAX,
    weightMax: RECORDS_BYTES_MAX,
    weigh: (record) => record.body.length,
  })
  const callback: { url: string | undefined; enabledEvents: string[] } = { url: undefined, enabledEvents: ['*'] }
  const policy: DeliveryPolicy = { ...DEFAULT_POLICY }
  const stop = new AbortController()
  let waiting: DeliveryRecord[] = []
  let unsent: PaymentEvent[] = []
  let inFlight = 0
  let count = 0

  const isWanted = (type: string) => callback.enabledEvents.some((name) => name === '*' || name === type)

  async function flush(): Promise<void> {
    const due = ordered(waiting, policy.order, random)
    waiting = []
    for (const record of due) {
      const sending = deliver(record)
      // On a manual clock posts leave one after the other, so that their order is the same in every run.
      if (clock.mode === 'manual') await sending
    }
  }

  async function deliver(record: DeliveryRecord): Promise<void> {
    await attempt(record)
    for (let copy = 0; copy < policy.duplicates && record.state === 'delivered'; copy++) await attempt(record)
  }

  async function attempt(record: DeliveryRecord): Promise<void> {
    const { corrupt } = policy
    inFlight += 1
    const signedAt = Math.floor((policy.signedAt === 'wall' ? Date.now() : clock.now()) / 1_000)
    const post = signedPost(record.body, account.webhookSecret, signedAt, corrupt)
    const outcome = await postOnce(record.url, post, stop.signal, timings.webhookTimeoutMs)
    inFlight -= 1
    record.attempts.push({ at: clock.now(), ...outcome, corrupt })
    const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300
    if (isDelivered) settle(record)
    else if (record.state !== 'delivered') retry(record)
    signal.changed()
  }

  function settle(record: DeliveryRecord): void {
    record.state = 'delivered'
    const event = state.events.get(record.event)
    if (event) event.pending_webhooks = 0
  }

  function retry(record: DeliveryRecord): void {
    const wait = retryWaitMs(record.attempts.length, clock.now() - record.created_at)
    const isOver = wait === undefined || !policy.retry || stop.signal.aborted
    record.state = isOver ? 'failed' : 'retrying'
    if (!isOver) clock.after(wait, () => (record.state === 'retrying' ? attempt(record) : undefined))
  }

  function recordOf(event: PaymentEvent, fate: DeliveryRecord['state']): DeliveryRecord {
    const record: DeliveryRecord = {
      id: `delivery-${++count}`,
      event: event.id,
      type: event.type,
      url: callback.url ?? '',
      body: JSON.stringify(event, null, 2),
      state: fate,
      created_at: clock.now(),
      attempts: [],
    }
    records.set(record.id, record)
    return record
  }

  function post(event: PaymentEvent): void {
    const isDropped = policy.drop.some((name) => name === '*' || name === event.type)
    const fate = callback.url === undefined ? 'withheld' : isDropped ? 'dropped' : 'waiting'
    const record = recordOf(event, fate)
    if (fate !== 'waiting') return
    // Whoever is to be overtaken must wait for those who overtake.
    const company = policy.order === 'kept' ? 0 : timings.webhookBatchMs
    if (waiting.length === 0) clock.after(policy.delayMs + company, flush)
    waiting.push(record)
  }

  return {
    callback: callback as Readonly<typeof callback>,
    policy,
    records,

    post(event: PaymentEvent): void {
      if (!isWanted(event.type)) return
      event.pending_webhooks = callback.url === undefined ? 0 : 1
      post(event)
    },

    /** After a restart, what was still on its way sets out again as soon as there is somewhere to go. */
    resume(): void {
      unsent = [...state.events.values()].filter((event) => event.pending_webhooks > 0)
      if (callback.url !== undefined) for (const event of unsent.splice(0)) post(event)
    },

    callBack(url: string, enabledEvents?: string[]): void {
      callback.url = url
      callback.enabledEvents = enabledEvents ?? callback.enabledEvents
      for (const event of unsent.splice(0)) post(event)
    },

    /** Posts an event once more, whatever became of it before. */
    async redeliver(event: PaymentEvent): Promise<DeliveryRecord> {
      const record = recordOf(event, 'waiting')
      await deliver(record)
      return record
    },

    isIdle: () => waiting.length === 0 && inFlight === 0,

    clear(): void {
      records.clear()
      waiting = []
      unsent = []
      callback.enabledEvents = ['*']
      Object.assign(policy, DEFAULT_POLICY)
    },

    close: () => stop.abort(),
  }
}

function ordered(records: DeliveryRecord[], order: DeliveryPolicy['order'], random: Random): DeliveryRecord[] {
  if (order === 'reversed') return records.toReversed()
  return order === 'shuffled' ? random.shuffled(records) : records
}

async function postOnce(
  url: string,
  post: { body: string; headers: Record<string, string> },
  stop: AbortSignal,
  timeoutMs: number,
) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        ...post.headers,
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

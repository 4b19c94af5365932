import { BoundedMap } from './bounded-map.ts'
import type { ChangeNotifier } from './change-notifier.ts'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

/** One webhook request and its attempts. `dropped` and `withheld` webhooks are logged and never sent. */
export interface OutboxPost {
  id: string
  url: string
  body: string
  state: 'waiting' | 'delivered' | 'retrying' | 'failed' | 'dropped' | 'withheld'
  created_at: number
  attempts: { at: number; status: number | null; error: string | null }[]
}

/** Faults in the delivery that a receiver must cope with; the defaults inject none. */
export interface OutboxPolicy {
  /** Each delivered post is sent again this often. */
  duplicates: number
  order: 'kept' | 'reversed' | 'shuffled'
  retry: boolean
}

export interface RetrySchedule {
  /** The waits after each failed attempt; the last one repeats. */
  waitsMs: readonly number[]
  /** The age at which a post fails for good. */
  giveUpAfterMs: number
}

interface OutboxOptions<Item, Details> {
  clock: Clock
  random: Random
  notifier: ChangeNotifier
  /** Real time, not simulated. */
  timeoutMs: number
  idPrefix: string
  schedule: RetrySchedule
  /** Turns the queued items, in sending order, into posts made with `log`. */
  toPosts(items: Item[]): (OutboxPost & Details)[]
  /** Signs one attempt. */
  toRequest(post: OutboxPost & Details): { headers: Record<string, string>; body: string }
  isAccepted(status: number): boolean
  /** This post is sent again this often, besides the duplicates of the policy. */
  countCopies?(post: OutboxPost & Details): number
  onDelivered?(post: OutboxPost & Details): void
}

const DEFAULT_POLICY: OutboxPolicy = { duplicates: 0, order: 'kept', retry: true }
/** Enough for a fast receiver, and few enough that a slow one does not fill the simulator's memory. */
const IN_FLIGHT_MAX = 64
const POSTS_MAX = 5_000
const POSTS_BYTES_MAX = 64 * 1024 * 1024

export type Outbox<Item, Details> = ReturnType<typeof createOutbox<Item, Details>>

/**
 * Queues, signs, sends, retries and logs the webhooks of one provider:
 * `enqueue` an item, or `log` a post and `deliver` it at once. A post is waiting,
 * then delivered, or retrying until it is delivered or failed.
 */
export function createOutbox<Item, Details>(options: OutboxOptions<Item, Details>) {
  type Post = OutboxPost & Details
  const { clock, random, notifier } = options
  const posts = new BoundedMap<Post>({
    entriesMax: POSTS_MAX,
    weightMax: POSTS_BYTES_MAX,
    weigh: (post) => post.body.length,
  })
  const policy: OutboxPolicy = { ...DEFAULT_POLICY }
  const stop = new AbortController()
  const waitingForSlot: (() => void)[] = []
  let queue: Item[] = []
  let inFlight = 0
  let count = 0

  async function flush(): Promise<void> {
    const items = orderItems(queue, policy.order, random)
    queue = []
    for (const post of options.toPosts(items)) {
      const sending = deliver(post)
      // On a manual clock posts leave one after the other, so that their order is the same in every run.
      if (clock.mode === 'manual') await sending
    }
  }

  async function deliver(post: Post): Promise<void> {
    await attempt(post)
    const copies = policy.duplicates + (options.countCopies?.(post) ?? 0)
    for (let copy = 0; copy < copies && post.state === 'delivered'; copy++) await attempt(post)
  }

  async function attempt(post: Post): Promise<void> {
    if (inFlight < IN_FLIGHT_MAX) inFlight += 1
    else await new Promise<void>((resolve) => waitingForSlot.push(resolve))
    const outcome = await sendOnce(post.url, options.toRequest(post), stop.signal, options.timeoutMs)
    // The slot passes directly to the next post in line, which keeps their order.
    const next = waitingForSlot.shift()
    if (next) next()
    else inFlight -= 1
    post.attempts.push({ at: clock.now(), ...outcome })
    if (outcome.status !== null && options.isAccepted(outcome.status)) {
      post.state = 'delivered'
      options.onDelivered?.(post)
    } else if (post.state !== 'delivered') {
      retry(post)
    }
    notifier.notify()
  }

  function retry(post: Post): void {
    const waitMs = nextWaitMs(options.schedule, post.attempts.length, clock.now() - post.created_at)
    const isOver = waitMs === undefined || !policy.retry || stop.signal.aborted
    post.state = isOver ? 'failed' : 'retrying'
    if (!isOver) clock.after(waitMs, () => (post.state === 'retrying' ? attempt(post) : undefined))
  }

  return {
    policy,
    posts,
    deliver,

    log(details: Details & Pick<OutboxPost, 'url' | 'body' | 'state'>): Post {
      const post = { ...details, id: `${options.idPrefix}-${++count}`, created_at: clock.now(), attempts: [] }
      posts.set(post.id, post)
      return post
    },

    /** Sends the item after `delayMs`, together with the items that are already queued. */
    enqueue(item: Item, delayMs: number): void {
      if (queue.length === 0) clock.after(delayMs, flush)
      queue.push(item)
    },

    isIdle: () => queue.length === 0 && inFlight === 0,

    /** Forgets all posts and the policy. The caller clears the clock, which holds the retries. */
    clear(): void {
      posts.clear()
      queue = []
      Object.assign(policy, DEFAULT_POLICY)
    },

    /** Aborts open requests and ends retries. */
    close: () => stop.abort(),
  }
}

/** The wait after failed attempt number `attempts`, or undefined when the next one would come too late. */
export function nextWaitMs(schedule: RetrySchedule, attempts: number, ageMs: number): number | undefined {
  const { waitsMs, giveUpAfterMs } = schedule
  const waitMs = waitsMs[Math.min(attempts, waitsMs.length) - 1] ?? giveUpAfterMs
  return ageMs + waitMs > giveUpAfterMs ? undefined : waitMs
}

function orderItems<T>(items: T[], order: OutboxPolicy['order'], random: Random): T[] {
  if (order === 'reversed') return items.toReversed()
  return order === 'shuffled' ? random.shuffled(items) : items
}

async function sendOnce(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  stop: AbortSignal,
  timeoutMs: number,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal })
    await response.arrayBuffer()
    return { status: response.status, error: null }
  } catch (err) {
    // A receiver that is down or slow is a result to log, not a failure of the simulator.
    return { status: null, error: err instanceof Error ? err.message : String(err) }
  }
}

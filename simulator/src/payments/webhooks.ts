import { createHmac } from 'node:crypto'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { Clock } from '../clock.ts'
import { createOutbox, type OutboxPost } from '../outbox.ts'
import type { Random } from '../random.ts'
import type { PaymentEvent } from './objects.ts'
import type { PaymentState } from './state.ts'

interface WebhooksOptions {
  clock: Clock
  random: Random
  state: PaymentState
  secret: string
  timings: { webhookBatchMs: number; webhookTimeoutMs: number }
  notifier: ChangeNotifier
}

interface EventDetails {
  event: string
  type: string
}

export type EventPost = OutboxPost & EventDetails

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Stripe publishes that the waits grow and that they end after three days; the numbers are ours. */
const RETRY_SCHEDULE = {
  waitsMs: [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS],
  giveUpAfterMs: 72 * HOUR_MS,
}

export type PaymentWebhooks = ReturnType<typeof createPaymentWebhooks>

/** Sends events to the callback. An event without a callback is withheld, one that `drop` names is lost. */
export function createPaymentWebhooks({ clock, random, state, secret, timings, notifier }: WebhooksOptions) {
  const target: { url: string | undefined; drop: string[] } = { url: undefined, drop: [] }
  let unsent: PaymentEvent[] = []

  const outbox = createOutbox<PaymentEvent, EventDetails>({
    clock,
    random,
    notifier,
    timeoutMs: timings.webhookTimeoutMs,
    idPrefix: 'delivery',
    schedule: RETRY_SCHEDULE,
    toPosts: (events) => events.map((event) => log(event, 'waiting')),
    toRequest: ({ body }) => signRequest(body, secret),
    isAccepted: (status) => status >= 200 && status < 300,
    onDelivered(post) {
      const event = state.events.get(post.event)
      if (event) event.pending_webhooks = 0
    },
  })

  function log(event: PaymentEvent, postState: OutboxPost['state']): EventPost {
    const body = JSON.stringify(event, null, 2)
    return outbox.log({ event: event.id, type: event.type, url: target.url ?? '', body, state: postState })
  }

  function send(event: PaymentEvent): void {
    event.pending_webhooks = target.url === undefined ? 0 : 1
    if (target.url === undefined) log(event, 'withheld')
    else if (target.drop.includes(event.type)) log(event, 'dropped')
    // Events can only overtake each other if they wait for each other.
    else outbox.enqueue(event, outbox.policy.order === 'kept' ? 0 : timings.webhookBatchMs)
  }

  return {
    target: target as { readonly url: string | undefined; drop: string[] },
    policy: outbox.policy,
    posts: outbox.posts,
    send,

    /** After a restart, the events that were not delivered yet are sent as soon as there is a callback. */
    resume(): void {
      unsent = [...state.events.values()].filter((event) => event.pending_webhooks > 0)
      if (target.url !== undefined) for (const event of unsent.splice(0)) send(event)
    },

    setCallback(url: string): void {
      target.url = url
      for (const event of unsent.splice(0)) send(event)
    },

    async redeliver(event: PaymentEvent): Promise<EventPost> {
      const post = log(event, 'waiting')
      await outbox.deliver(post)
      return post
    },

    clear(): void {
      outbox.clear()
      unsent = []
      target.drop = []
    },

    close: outbox.close,
  }
}

/** The SDK compares the timestamp with the wall clock, so it is not that of the simulated clock. */
function signRequest(body: string, secret: string) {
  const timestamp = Math.floor(Date.now() / 1_000)
  const sign = (key: string) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
  // In test mode Stripe adds a signature of the scheme v0, which receivers must ignore.
  const signature = `t=${timestamp},v1=${sign(secret)},v0=${sign(`${secret} v0`)}`
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signature,
    },
  }
}

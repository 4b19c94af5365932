import { createHmac } from 'node:crypto'
import type { ChangeNotifier } from '../../change-notifier.ts'
import type { Clock } from '../../clock.ts'
import { createOutbox, type Outbox, type OutboxPost } from '../../outbox.ts'
import type { Random } from '../../random.ts'
import type { App, Timings } from '../options.ts'
import { getNumberFaults } from '../phones/number-faults.ts'
import type { State } from '../state.ts'
import { type AppCallback, findCallbackUrl, type Update } from './callback.ts'
import { buildEnvelope, foldUpdates, splitIntoBatches } from './envelope.ts'
import { RETRY_SCHEDULE } from './retry-schedule.ts'

interface WebhookDetails {
  fields: string[]
  signature: 'valid' | 'wrong' | 'none'
  /** The number of times it is sent again. */
  copies: number
}

export type WebhookPost = OutboxPost & WebhookDetails

interface QueuedUpdate {
  url: string
  copies: number
  update: Update
}

interface Parts {
  clock: Clock
  random: Random
  state: State
  app: App
  timings: Timings
  notifier: ChangeNotifier
}

/** The largest number of updates in a post, and whether updates of one number are joined into one change. */
const DEFAULT_BATCHING = { batch: 1, fold: false }

export type Webhooks = ReturnType<typeof createWebhooks>

/** Sends updates to the callback that subscribed to them. Only a 200 counts as delivered. */
export function createWebhooks({ clock, random, state, app, timings, notifier }: Parts) {
  const callback: AppCallback = { url: undefined, fields: undefined, refusedFields: [], namesRefused: true }
  const batching = { ...DEFAULT_BATCHING }
  /** The updates of numbers whose webhooks are reordered. */
  const collected = new Map<string, QueuedUpdate[]>()
  const outbox: Outbox<QueuedUpdate, WebhookDetails> = createOutbox({
    clock,
    random,
    notifier,
    timeoutMs: timings.webhookTimeoutMs,
    idPrefix: 'webhook',
    schedule: RETRY_SCHEDULE,
    toPosts,
    toRequest: (post) => ({ headers: buildHeaders(post, app.secret), body: post.body }),
    isAccepted: (status) => status === 200,
    countCopies: (post) => post.copies,
  })

  function toPosts(due: QueuedUpdate[]): WebhookPost[] {
    const groups = Map.groupBy(due, ({ url, copies }) => `${copies} ${url}`)
    return [...groups.values()].flatMap((own) =>
      splitIntoBatches(own, batching.batch).map((batch) => {
        const updates = (batching.fold ? foldUpdates(batch) : batch).map((item) => item.update)
        return log(updates, 'waiting', batch[0])
      }),
    )
  }

  function log(updates: Update[], state: OutboxPost['state'], to?: QueuedUpdate): WebhookPost {
    const fields = updates.map((update) => update.field)
    const { url = '', copies = 0 } = to ?? {}
    return outbox.log({ url, fields, body: buildEnvelope(updates, clock.now()), signature: 'valid', copies, state })
  }

  function enqueue(item: QueuedUpdate): void {
    const waitsForOthers = batching.batch > 1 || outbox.policy.order !== 'kept'
    outbox.enqueue(item, waitsForOthers ? timings.webhookBatchMs : 0)
  }

  /** Collects the updates of a number for as long as a message takes to be read, and sends the last one first. */
  function reorder(phoneId: string, item: QueuedUpdate): void {
    const waiting = collected.get(phoneId)
    if (waiting) {
      waiting.push(item)
      return
    }
    const items = [item]
    collected.set(phoneId, items)
    clock.after(timings.readMs + timings.webhookBatchMs, () => {
      collected.delete(phoneId)
      for (const last of items.toReversed()) enqueue(last)
    })
  }

  return {
    callback,
    batching,
    outbox,

    emit(update: Update): void {
      const url = findCallbackUrl(state, callback, update)
      if (url === undefined) {
        log([update], 'withheld')
        return
      }
      const faults = getNumberFaults(state, update.phoneId)
      const item = { url, update, copies: faults.duplicate ? 1 : 0 }
      const queue = () => (faults.reorder ? reorder(update.phoneId ?? '', item) : enqueue(item))
      if (faults.callbackDelayMs > 0) clock.after(faults.callbackDelayMs, queue)
      else queue()
    },

    /** Posts the given bytes unchanged, for payloads that the platform would not send. */
    async post(body: string, signature: WebhookDetails['signature']): Promise<WebhookPost> {
      const post = outbox.log({ url: callback.url ?? '', fields: [], body, signature, copies: 0, state: 'waiting' })
      await outbox.deliver(post)
      return post
    },

    clear(): void {
      outbox.clear()
      collected.clear()
      Object.assign(batching, DEFAULT_BATCHING)
    },
  }
}

function buildHeaders(post: WebhookPost, secret: string): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'facebookexternalua' }
  if (post.signature === 'none') return headers
  const key = post.signature === 'wrong' ? `${secret} but wrong` : secret
  const sign = (algorithm: string) => createHmac(algorithm, key).update(post.body).digest('hex')
  return { ...headers, 'x-hub-signature-256': `sha256=${sign('sha256')}`, 'x-hub-signature': `sha1=${sign('sha1')}` }
}

import type { Clock } from '../../../kernel/clock.ts'
import type { BatchSplits } from '../../../kernel/db/batch-splits.ts'
import { createBatches } from '../../../kernel/db/batches.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import type { SessionLock } from '../../../kernel/db/session-lock.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import { subscriptionSuspended } from '../../billing/plans/suspension.ts'
import type { BillingProvider } from '../../billing/provider/service.ts'
import type { LiveUpdate } from '../../live-updates/live-update.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import { readTemplateName, type TemplateName } from '../../templates/sendability/report.ts'
import type { DeferredLog } from './deferred-log.ts'
import { type KeyedSendResult, toKeyedSendResult } from './idempotency-record.ts'
import type { Recipient } from './recipient.ts'
import * as store from './reservation-store.ts'

/** On top of the longest send, for the statements before and after it. Longer than a request waits for its record. */
const LEASE_MARGIN_SECONDS = 15
const BATCH_SIZE = 200
const CONCURRENT_BATCHES_MAX = 2
/** A send weighs 1, and a large one as much as its content: at most 5,000 sends or 20 MiB wait. */
const BYTES_PER_WEIGHT = 4096
const WAITING_WEIGHT_MAX = 5000
/** A key may be released between a reservation and the lookup of its record; then the next reservation succeeds. */
const RESERVE_ATTEMPTS_MAX = 3

/** A message to send. The key is null for messages of the facade. */
export type SendDraft = Omit<store.Reservation, 'messageId' | 'template'>
/** `address` is the recipient as the client wrote it, and `further` are members beside the message. */
export type KeyedSendDraft = SendDraft & {
  key: string
  bodyHash: Buffer
  recipient: Recipient
  address: string
  further: JsonObject
}
/** A send whose reservation is committed. `reservedAt` is on this process's monotonic clock, in milliseconds. */
export type ReservedSend<D = SendDraft> = D & {
  messageId: string
  createdAt: string
  reservedAt: number
  /** The log has the send already. */
  isLogged: boolean
  channel: Channel
}

type Channel = store.ReservedChannel & { isLogged: boolean }

type Dependencies = {
  sql: Pool
  now: Clock
  timeoutMs: number
  billing: BillingProvider
  batchSplits: BatchSplits
  liveUpdates: Pick<LiveUpdates, 'record'>
  /** Other processes see by it whether the sends of this one are still under way. */
  processLock: Pick<SessionLock, 'readKey'>
  /** True if a send with a template that the upstream reported as paused, disabled or rejected is refused. */
  checksTemplates: boolean
  deferredLog: Pick<DeferredLog, 'isOn'>
}

/** Reserves sends before their upstream calls; concurrent ones share a statement. */
export function createReservations(dependencies: Dependencies) {
  const { sql, now, timeoutMs, billing, batchSplits, liveUpdates, processLock, checksTemplates, deferredLog } =
    dependencies
  const leaseSeconds = computeLeaseSeconds(timeoutMs)
  const reserveInBatch = createBatches<store.Reservation, Channel>({
    run: reserveAll,
    runsMax: CONCURRENT_BATCHES_MAX,
    weightMax: BATCH_SIZE,
    weightOf: ({ content }) => weighContent(content),
    waitingWeightMax: WAITING_WEIGHT_MAX,
    onSplit: (err, count) => batchSplits.report('sends', err, count),
  })

  async function reserveAll(sends: store.Reservation[]): Promise<Channel[]> {
    const lockKey = processLock.readKey()
    const isLogDeferred = deferredLog.isOn()
    const channels = await store.reserve(sql, sends, { leaseSeconds, lockKey, isBilled: billing.isOn, isLogDeferred })
    liveUpdates.record(
      sends.filter((_, n) => channels[n]?.created_at),
      toNewMessageUpdates,
    )
    return channels.map((channel) => ({ ...channel, isLogged: !isLogDeferred }))
  }

  return {
    async reserve(draft: SendDraft): Promise<ReservedSend> {
      const messageId = newId(now())
      const channel = await reserveInBatch({ ...draft, messageId, template: null })
      if (channel.status === null) throw notFound('channel_not_found')
      if (channel.is_suspended) throw subscriptionSuspended()
      if (channel.created_at === null) throw channelNotConnected()
      return toReserved(draft, messageId, channel, channel.created_at)
    },

    /**
     * Reserves the key, or returns the result of the send that holds it. A template that cannot be sent reserves none. The
     * messages of the facade are not checked: their clients get the upstream's own refusal.
     */
    async reserveKey(draft: KeyedSendDraft): Promise<ReservedSend<KeyedSendDraft> | KeyedSendResult> {
      const template = checksTemplates ? (readTemplateName(draft.type, draft.content) ?? null) : null
      for (let attempts = 0; attempts < RESERVE_ATTEMPTS_MAX; attempts++) {
        const messageId = newId(now())
        const channel = await reserveInBatch({ ...draft, messageId, template })
        if (channel.status === null) throw notFound('channel_not_found')
        if (channel.created_at !== null) return toReserved(draft, messageId, channel, channel.created_at)
        const record = await store.findIdempotencyRecord(sql, draft)
        if (record) return toKeyedSendResult(record, draft)
        if (channel.is_suspended) throw subscriptionSuspended()
        if (!channel.can_send) throw channelNotConnected()
        if (template && channel.template_status !== null) throw templateNotSendable(template, channel)
      }
      return { kind: 'in-progress' }
    },
  }
}

function toReserved<D>(draft: D, messageId: string, channel: Channel, createdAt: string) {
  return { ...draft, messageId, channel, createdAt, isLogged: channel.isLogged, reservedAt: performance.now() }
}

export function computeLeaseSeconds(timeoutMs: number): number {
  return timeoutMs / 1000 + LEASE_MARGIN_SECONDS
}

export function weighContent(content: unknown): number {
  return Math.max(1, JSON.stringify(content).length / BYTES_PER_WEIGHT)
}

function toNewMessageUpdates({ organizationId, channelId, messageId }: store.Reservation): LiveUpdate[] {
  return [{ organizationId, kind: 'message.created', channelId, messageId }]
}

function templateNotSendable({ name, language }: TemplateName, channel: store.ReservedChannel): AppError {
  const { template_status: status, template_since: since } = channel
  return new AppError('TEMPLATE_NOT_SENDABLE', 'template_not_sendable', {
    parameters: { name, language, status: String(status) },
    details: { name, language, status, since },
  })
}

function channelNotConnected(): AppError {
  return new AppError('CHANNEL_NOT_CONNECTED', 'not_connected')
}

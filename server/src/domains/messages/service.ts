import type { Clock } from '../../kernel/clock.ts'
import { createBatches } from '../../kernel/db/batches.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { JsonObject } from '../../kernel/json/values.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Result, UpstreamFailure } from '../../upstream/http/errors.ts'
import type { SentMessage } from '../../upstream/resources/messages.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { subscriptionSuspended } from '../billing/plans/suspension.ts'
import type { BillingProvider } from '../billing/provider/service.ts'
import { buildUsageInsert } from '../billing/usage/service.ts'
import type { ChannelConnections, Credential } from '../channels/connection/service.ts'
import type { Publish } from '../webhooks/publishing/service.ts'
import { type MessageBody, toContent } from './body/message-body.ts'
import { findBrokenRules } from './body/rules.ts'
import { bodyHash } from './body-hash.ts'
import { resultUnknown, type SendResult, toSendResult } from './idempotency-record.ts'
import { type MessageRow, toMessageEntry } from './message-entry.ts'
import { toMessageError, toOutcome } from './outcome.ts'
import * as store from './sends-store.ts'

/**
 * The states of an Idempotency-Key. A key belongs to its channel and names one send; each change of state is one committed
 * statement.
 *
 * free: no send holds the key. A request reserves it: the key, the log entry (`sending`) and the unsettled send are
 * committed before the upstream call. Of concurrent requests with one key exactly one reserves it.
 *
 * in progress: reserved, and the upstream call may be running. Another request with the key gets 409
 * OPERATION_IN_PROGRESS. The upstream's answer ends the state:
 *   accepted: the log entry becomes `accepted`, and message.sent is recorded;
 *   refused: the log entry becomes `failed`;
 *   certainly not sent (no connection, a throttle, a transient error that the upstream reports, a refused credential):
 *     the key is free again, and the log entry of the try stays as `failed`;
 *   anything else: unknown. If the process dies, its lease, longer than any send, expires, and a job marks the send so.
 *
 * unknown: the outcome is not known. The key gets 409 SEND_RESULT_UNKNOWN until a status callback brings our id back
 * (`biz_opaque_callback_data`), which makes it accepted and records message.sent. An upstream answer that arrives after
 * the lease expired does the same.
 *
 * accepted: the same key and body get the same 202 again.
 *
 * refused: the same key and body get the same 400 again.
 *
 * A key is kept for 30 days. Another body under a held key is 400 IDEMPOTENCY_KEY_REUSED in every state.
 * A send is unsettled until its outcome is recorded. The upstream's answer and the callback may arrive together: both
 * lock the row of the unsettled send first, and only the one that deletes it records the outcome.
 */

/** On top of the longest send, for the statements before and after it. */
const LEASE_MARGIN_SECONDS = 15
const BATCH = 200
const BATCHES_AT_ONCE = 2
const FORGET_BATCH = 5000
/** A key that is freed between a reservation and the look at its holder can be had after all. */
const RESERVE_TRIES = 3

type Dependencies = {
  sql: Pool
  now: Clock
  upstream: Upstream
  timeoutMs: number
  billing: BillingProvider
  connections: ChannelConnections
  publish: Publish
  logger: Logger
}

type Unkeyed = Omit<store.Reservation, 'messageId'>
type Draft = Unkeyed & { key: string; bodyHash: Buffer; to: string }
type Underway<D = Draft> = D & { messageId: string; createdAt: string; channel: store.Reserved }
type Outcome = Pick<store.Settlement, 'outcome' | 'wamid' | 'contact' | 'error'>
type Settling = { settlement: store.Settlement; sent: MessageRow | null }

/** A message that a client of the upstream wrote itself. `opaque` is its own name for the send, if it can be known by it. */
export type Forwarding = Omit<Unkeyed, 'key' | 'bodyHash'> & { userId: string | null; body: JsonObject }

/** `isReplay`: an earlier request has done it. */
export type Sent = { answer: SendResult; isReplay: boolean }
export type Messages = ReturnType<typeof createMessages>

export function createMessages({ sql, now, upstream, timeoutMs, billing, connections, publish, logger }: Dependencies) {
  const leaseSeconds = timeoutMs / 1000 + LEASE_MARGIN_SECONDS
  const reserve = createBatches<store.Reservation, store.Reserved>({
    run: (drafts) => store.reserve(sql, drafts, { leaseSeconds, isBilled: billing.isOn }),
    runsMax: BATCHES_AT_ONCE,
    weightMax: BATCH,
  })
  const settle = createBatches<Settling, boolean>({ run: settleAll, runsMax: BATCHES_AT_ONCE, weightMax: BATCH })

  /** Outcomes, and the events of those that were the first to tell, in one transaction. */
  async function settleAll(settling: Settling[]): Promise<boolean[]> {
    return sql.begin(async (tx) => {
      const settlements = settling.map(({ settlement }) => settlement)
      const settled = new Set((await store.settle(tx, settlements, buildUsageInsert)).map(({ id }) => id))
      const sent = settling.filter(({ settlement }) => settled.has(settlement.messageId))
      await publish(tx, sent.flatMap(sentEvents))
      return settling.map(({ settlement }) => settled.has(settlement.messageId))
    })
  }

  /** Reserves the key, or tells what it has come to already. */
  async function begin(draft: Draft): Promise<Underway | SendResult> {
    for (let tries = 0; tries < RESERVE_TRIES; tries++) {
      const messageId = newId(now())
      const channel = await reserve({ ...draft, messageId })
      if (channel.status === null) throw notFound('Channel')
      if (channel.created_at !== null) return { ...draft, messageId, channel, createdAt: channel.created_at }
      const holder = await store.findIdempotencyRecord(sql, draft)
      if (holder) return toSendResult(holder, draft)
      if (channel.is_suspended) throw subscriptionSuspended()
      if (!channel.is_able) throw notConnected()
    }
    return { kind: 'under-way' }
  }

  /** Returns false when a status webhook told first. */
  async function record(underway: Underway<Unkeyed>, outcome: Outcome): Promise<boolean> {
    const { organizationId, channelId, messageId, key } = underway
    const settlement = { organizationId, channelId, messageId, key, ...outcome }
    try {
      return await settle({ settlement, sent: outcome.outcome === 'accepted' ? sentRow(underway, outcome) : null })
    } catch (err) {
      // It stays unsettled, which is what the caller is told: the hub cannot vouch for what it could not write down.
      logger.error({ err, message_id: messageId, outcome: outcome.outcome }, 'the outcome of a send was not recorded')
      throw resultUnknown(messageId)
    }
  }

  async function recordSent(underway: Underway<Unkeyed>, { wamid, user_id }: SentMessage): Promise<void> {
    await record(underway, { outcome: 'accepted', wamid, contact: toContact(user_id), error: null })
  }

  async function accept(underway: Underway, sent: SentMessage): Promise<SendResult> {
    await recordSent(underway, sent)
    const { wamid } = sent
    const { messageId: id, channelId: channel_id, to, type, createdAt: created_at } = underway
    const message = { id, channel_id, status: 'accepted' as const, to, type, upstream_message_id: wamid, created_at }
    return { kind: 'accepted', message }
  }

  async function fail(underway: Underway, token: string, failure: UpstreamFailure): Promise<SendResult> {
    const { organizationId, channelId: id, messageId } = underway
    const outcome = toOutcome(failure)
    const error = toMessageError(failure)
    const isFirst = await record(underway, {
      outcome,
      wamid: null,
      contact: null,
      error: toLoggedError(outcome, error),
    })
    const holder = isFirst ? undefined : await store.findIdempotencyRecord(sql, underway)
    if (holder) return toSendResult(holder, underway)
    if (outcome === 'unknown') return { kind: 'unknown', messageId }
    return outcome === 'refused' ? { kind: 'refused', error } : connections.fail({ organizationId, id }, token, failure)
  }

  async function carryOut(underway: Underway): Promise<SendResult> {
    const { organizationId, channelId: id, messageId, type, to, content, channel } = underway
    const token = connections.readToken(organizationId, { id, access_token: channel.access_token })
    if (token === undefined || channel.phone_number_id === null) {
      await record(underway, { outcome: 'released', wamid: null, contact: null, error: UNREADABLE })
      throw notConnected()
    }
    const result = await upstream.messages.send(token, channel.phone_number_id, {
      recipient_type: 'individual',
      // Without the sign the upstream may take the number for a local one.
      to: `+${to}`,
      type,
      [type]: content,
      biz_opaque_callback_data: messageId,
    })
    return result.ok ? accept(underway, result.value) : fail(underway, token, result.failure)
  }

  return {
    async send(organizationId: string, channelId: string, key: string, body: MessageBody): Promise<Sent> {
      const issues = findBrokenRules(body)
      if (issues[0]) throw invalidRequest(`The body is invalid: ${issues[0].path} ${issues[0].message}.`, issues)
      const { type, to } = body
      const draft = { organizationId, channelId, key, bodyHash: bodyHash(body), type, to, content: toContent(body) }
      const begun = await begin({ ...draft, opaque: null })
      if ('kind' in begun) return { answer: begun, isReplay: begun.kind === 'accepted' || begun.kind === 'refused' }
      return { answer: await carryOut(begun), isReplay: false }
    },

    /**
     * The same without a key: nobody can ask again, and only the log tells what
     * became of it. The upstream's answer goes back as it came, and a failure
     * as it is, but for the one that leaves everything open.
     */
    async forward(forwarding: Forwarding, { token, phoneNumberId }: Credential): Promise<Result<string>> {
      const { body, userId, ...draft } = { ...forwarding, key: null, bodyHash: null }
      const messageId = newId(now())
      const channel = await reserve({ ...draft, messageId })
      if (channel.status === null) throw notFound('Channel')
      if (channel.is_suspended) throw subscriptionSuspended()
      if (channel.created_at === null) throw notConnected()
      const underway = { ...draft, messageId, channel, createdAt: channel.created_at }
      const named = { biz_opaque_callback_data: messageId, ...body }
      const result = await upstream.messages.forward(token, phoneNumberId, named)
      if (result.ok) {
        const { sent, text } = result.value
        await recordSent(underway, { ...sent, user_id: sent.user_id ?? userId })
        return { ok: true, value: text }
      }
      const outcome = toOutcome(result.failure)
      const error = toLoggedError(outcome, toMessageError(result.failure))
      await record(underway, { outcome, wamid: null, contact: toContact(userId), error })
      if (outcome === 'unknown') throw resultUnknown(messageId)
      return result
    },

    /** Names that are older than these ids, a batch at a time. */
    async forget(before: Record<'keys' | 'wamids' | 'unsettled', string>): Promise<void> {
      for (const what of ['keys', 'wamids', 'unsettled'] as const) {
        while ((await store.forget(sql, what, { before: before[what], limit: FORGET_BATCH })) === FORGET_BATCH);
      }
    },

    /** For sends whose process did not live to record the outcome. */
    async giveUpLate(): Promise<void> {
      while ((await store.markLateUnknown(sql, BATCH)) === BATCH);
    },
  }
}

const UNREADABLE = { code: null, title: 'The stored credential of the channel cannot be read', details: null }

function toContact(userId: string | null): MessageRow['contact'] {
  return userId === null ? null : { name: null, user_id: userId }
}

/** An unknown send has no error: it may be on its way. */
function toLoggedError(outcome: store.Settlement['outcome'], error: store.Settlement['error']) {
  return outcome === 'unknown' ? null : error
}

function sentEvents({ settlement: { organizationId, channelId }, sent }: Settling) {
  if (!sent) return []
  return [{ organizationId, channelId, kind: 'message.sent' as const, data: { message: toMessageEntry(sent) } }]
}

function sentRow(underway: Underway<Unkeyed>, { wamid, contact }: Outcome): MessageRow {
  const { messageId: id, channelId: channel_id, type, to, content, createdAt, channel } = underway
  return {
    id,
    channel_id,
    direction: 'outbound',
    type,
    status: 'accepted',
    sender: channel.sender,
    recipient: to,
    contact: contact as MessageRow['contact'],
    upstream_message_id: wamid,
    content,
    context: null,
    error: null,
    pricing: null,
    statuses_seen: 0,
    created_at: createdAt,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
  }
}

function notConnected(): AppError {
  return new AppError('CHANNEL_NOT_CONNECTED', 'The channel is not connected. Connect it with a new link.')
}

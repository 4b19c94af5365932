import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import type { BatchSplits } from '../../../kernel/db/batch-splits.ts'
import { createBatches } from '../../../kernel/db/batches.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { withTimeout } from '../../../kernel/net/with-timeout.ts'
import type { SentMessage } from '../../../upstream/resources/messages.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import type { LiveUpdate } from '../../live-updates/live-update.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import { buildMessageCountInsert } from '../../statistics/counts/service.ts'
import type { Publishing } from '../../webhooks/publishing/service.ts'
import { toContact as toPerson } from '../contact.ts'
import { listContacts } from '../contacts/identify.ts'
import { type MessageRow, toMessageEntry } from '../message-entry.ts'
import type { AcceptedContact } from '../schemas.ts'
import type { MessageError } from '../status.ts'
import { resultUnknown } from './idempotency-record.ts'
import type { FailedOutcome } from './outcome.ts'
import { toSentContact } from './reservation-store.ts'
import { computeLeaseSeconds, type ReservedSend, weighContent } from './reservations.ts'
import * as store from './settlement-store.ts'
import { extendLeases } from './store.ts'

const BATCH_SIZE = 200
const CONCURRENT_BATCHES_MAX = 2
const OTHER_WRITES = { buildUsageInsert, buildMessageCountInsert }
/** Between the repeats of a failed write. Doubled each time; jitter subtracts up to half. */
const REPEAT_WAIT_MS = { first: 100, max: 5000 }
/** A request waits at least this long for the record of its outcome, if the upstream has used up its time. */
const RECORD_MS_MIN = 5000
/** A send weighs 1, and a large one as much as its content: 10,000 outcomes or 40 MiB wait to be written again. */
const WAITING_WEIGHT_MAX = 10_000

type Outcome = Pick<store.Settlement, 'outcome' | 'wamid' | 'error'>
/** The recipient as the upstream's answer names them. */
type Answered = Pick<SentMessage, 'wa_id' | 'user_id'>
type RecordedOutcome = Outcome & Pick<store.Settlement, 'contact'>

const NOT_ANSWERED: Answered = { wa_id: null, user_id: null }

type Dependencies = {
  sql: Pool
  now: Clock
  timeoutMs: number
  publishing: Pick<Publishing, 'publishWith'>
  logger: Logger
  batchSplits: BatchSplits
  liveUpdates: Pick<LiveUpdates, 'record'>
  waitingWeightMax?: number | undefined
}

/**
 * Records the outcomes of sends; concurrent ones share a statement.
 *
 * An outcome exists only in this process until it is written, so a failed write is repeated for as long as the process
 * lives. The statement settles only a send that is still unsettled: a repeat of a write that was committed, although its
 * answer was lost, changes nothing.
 */
export function createSettlements(dependencies: Dependencies) {
  const { sql, now, timeoutMs, publishing, logger, batchSplits, liveUpdates } = dependencies
  const { waitingWeightMax = WAITING_WEIGHT_MAX } = dependencies
  const batches = { run: settleAll, weightMax: BATCH_SIZE }
  // None is refused: the message may have been sent. There are no more of them than reserved sends.
  const settle = createBatches<store.Settlement, boolean>({
    ...batches,
    runsMax: CONCURRENT_BATCHES_MAX,
    onSplit: (err, count) => batchSplits.report('settlements', err, count),
  })
  /** Apart from the others, so that an outcome that the database refuses does not split their batches again and again. */
  const settleAgain = createBatches<store.Settlement, boolean>({ ...batches, runsMax: 1 })
  const open = new Set<Promise<boolean>>()
  const waiting = new Map<store.Settlement, { weight: number; err: unknown }>()
  const stopping = new AbortController()
  let waitingWeight = 0

  /** The settlements that this process recorded. A part of a batch that fails may be committed: the next try finds it settled. */
  const recorded = new WeakSet<store.Settlement>()

  /** Records outcomes and publishes message.sent for those that no status callback settled before. */
  async function settleAll(settlements: store.Settlement[]): Promise<boolean[]> {
    await settleOf(
      settlements.filter(({ isLogged }) => !isLogged),
      'under-way',
    )
    // Another process may have logged a send meanwhile, as unknown.
    const rest = settlements.filter((settlement) => !recorded.has(settlement))
    const erased = await settleOf(rest, 'logged')
    await settleOf(erased, 'erased')
    liveUpdates.record(settlements, toMessageUpdates)
    return settlements.map((settlement) => recorded.has(settlement))
  }

  /** Returns those that it left out because their person was erased. */
  async function settleOf(settlements: store.Settlement[], sends: store.SettledSends): Promise<store.Settlement[]> {
    const open = settlements.filter((settlement) => !recorded.has(settlement))
    if (open.length === 0) return []
    const written = sends === 'erased' ? open.map(withoutPerson) : open
    const events = written.flatMap(({ event }) => event ?? [])
    const results = await publishing.publishWith(sql, events, (_, publication) =>
      store.settle(sql.urgent, written, publication, OTHER_WRITES, sends),
    )
    const settled = new Set(results.flatMap(({ settled_ids }) => settled_ids))
    const erased = new Set(results.flatMap(({ erased_ids }) => erased_ids))
    for (const settlement of open) if (settled.has(settlement.messageId)) recorded.add(settlement)
    return open.filter(({ messageId }) => erased.has(messageId))
  }

  function buildEvent(send: ReservedSend, outcome: RecordedOutcome): store.Settlement['event'] {
    if (outcome.outcome !== 'accepted') return null
    const { organizationId, channelId } = send
    const data = { message: toMessageEntry(toRow(send, outcome)) }
    return { organizationId, id: newId(now()), channelId, kind: 'message.sent', data }
  }

  /** Writes the outcome, again and again if need be. Rejects only when the hub stops. */
  async function settleUntilRecorded(settlement: store.Settlement, content: unknown): Promise<boolean> {
    try {
      return await settle(settlement)
    } catch (err) {
      return await repeat(settlement, { weight: weighContent(content), err })
    }
  }

  async function repeat(settlement: store.Settlement, failed: { weight: number; err: unknown }): Promise<boolean> {
    const fields = { message_id: settlement.messageId, outcome: settlement.outcome }
    logger.error({ ...fields, err: failed.err }, 'the outcome of a send was not recorded and is written again')
    waiting.set(settlement, failed)
    waitingWeight += failed.weight
    try {
      for (let waitMs = REPEAT_WAIT_MS.first; ; waitMs = Math.min(2 * waitMs, REPEAT_WAIT_MS.max)) {
        await delay(waitMs * (0.5 + Math.random() / 2), undefined, stopping)
        try {
          const isFirst = await settleAgain(settlement)
          logger.info(fields, 'the outcome of a send was recorded at last')
          return isFirst
        } catch (err) {
          failed.err = err
        }
      }
    } catch (err) {
      // Other processes find the send unsettled and mark it unknown.
      logger.error({ ...fields, err: failed.err }, 'the outcome of a send is lost, because the hub stops')
      throw err
    } finally {
      waiting.delete(settlement)
      waitingWeight -= failed.weight
    }
  }

  /** Returns false if a status callback settled the send first. */
  async function record(send: ReservedSend, given: Outcome, answered = NOT_ANSWERED): Promise<boolean> {
    const { organizationId, channelId, messageId, isLogged, key, content, reservedAt } = send
    const userId = answered.user_id ?? toSentContact(send.to, send.contact?.userId ?? null)?.user_id ?? null
    const outcome = { ...given, contact: toContact(userId) }
    const event = buildEvent(send, outcome)
    const recipient = toRecipient(send, answered)
    const settlement = { organizationId, channelId, messageId, isLogged, key, ...outcome, ...recipient, event }
    const settled = settleUntilRecorded(settlement, content)
    open.add(settled)
    settled.finally(() => open.delete(settled)).catch(() => {})
    const waitMs = Math.max(reservedAt + timeoutMs - performance.now(), RECORD_MS_MIN)
    const isFirst = await withTimeout(settled, waitMs).catch(() => 'timeout' as const)
    // Until the outcome is written, later requests with the key cannot know it either.
    if (isFirst === 'timeout') throw resultUnknown(messageId)
    return isFirst
  }

  return {
    /** Returns what requests that repeat the send get as its contact: null if a status callback settled the send first. */
    async recordAccepted(send: ReservedSend, sent: SentMessage): Promise<AcceptedContact> {
      const isFirst = await record(send, { outcome: 'accepted', wamid: sent.wamid, error: null }, sent)
      return isFirst ? toAcceptedContact(send, sent) : null
    },

    /** Returns false if a status callback settled the send first. An unknown outcome has no error: the message may arrive. */
    recordFailure: (send: ReservedSend, outcome: FailedOutcome, error: MessageError): Promise<boolean> =>
      record(send, { outcome, wamid: null, error: outcome === 'unknown' ? null : error }),

    /** Refuses another send while too many outcomes wait to be written, because it might add one. */
    requireRoom(): void {
      if (waitingWeight < waitingWeightMax) return
      throw new AppError('OVERLOADED', 'outcomes_queue_full')
    },

    /** Outcomes whose write failed, and that are written again. */
    countWaiting: (): number => waiting.size,

    /** Keeps sends whose outcome waits here from being marked unknown. */
    async extendLeases(): Promise<void> {
      const known = [...waiting.keys()].filter(({ outcome }) => outcome !== 'unknown')
      const [failed] = waiting.values()
      if (failed) logger.warn({ err: failed.err, waiting: waiting.size }, 'outcomes of sends wait for the database')
      if (known.length > 0) await extendLeases(sql, known, computeLeaseSeconds(timeoutMs))
    },

    /** Resolves when every outcome is written. */
    async flush(): Promise<void> {
      while (open.size > 0) await Promise.allSettled(open)
    },

    /** Gives up what the database does not take. */
    stop: (): void => stopping.abort(),
  }
}

/** The part of a send that the log and message.sent get if its person was erased while its outcome was unknown. */
function withoutPerson(settlement: store.Settlement): store.Settlement {
  const error = settlement.error && { ...settlement.error, title: null, details: null }
  const event = settlement.event && {
    ...settlement.event,
    data: { message: { ...settlement.event.data.message, to: null, contact: null, content: null, context: null } },
  }
  return { ...settlement, contact: null, acceptedContact: null, contactId: null, contacts: [], error, event }
}

function toContact(userId: string | null): MessageRow['contact'] {
  return userId === null ? null : { name: null, user_id: userId }
}

type SettledRecipient = Pick<store.Settlement, 'acceptedContact' | 'contactId' | 'contacts'>

/** The person to whom a message was sent, as the upstream's answer names them. */
function toRecipient(send: ReservedSend, answered: Answered): SettledRecipient {
  const acceptedContact = toAcceptedContact(send, answered)
  if (acceptedContact === null) return { acceptedContact, contactId: null, contacts: [] }
  const { organizationId: organization_id, channelId: channel_id, to: recipient } = send
  const contact = toPerson({ wa_id: answered.wa_id, user_id: answered.user_id ?? send.contact?.userId })
  const message = { organization_id, channel_id, direction: 'outbound' as const, sender: null, recipient, contact }
  const [found, ...others] = listContacts(message)
  if (!found || found.userId === null) return { acceptedContact, contactId: null, contacts: others }
  return { acceptedContact, contactId: found.id, contacts: [found, ...others] }
}

/** A group is no person. */
function toAcceptedContact({ contact }: ReservedSend, { wa_id, user_id }: Answered): AcceptedContact {
  return contact === null || (wa_id === null && user_id === null) ? null : { wa_id, user_id }
}

export type MessageKey = { organizationId: string; channelId: string; messageId: string }

export function toMessageUpdates({ organizationId, channelId, messageId }: MessageKey): LiveUpdate[] {
  return [{ organizationId, kind: 'message.updated', channelId, messageId }]
}

function toRow(send: ReservedSend, { wamid, contact }: RecordedOutcome): MessageRow {
  const { messageId: id, channelId: channel_id, type, to, content, context, createdAt, channel } = send
  return {
    id,
    channel_id,
    direction: 'outbound',
    type,
    status: 'accepted',
    sender: channel.sender,
    recipient: to,
    contact,
    contact_id: null,
    upstream_message_id: wamid,
    content,
    context,
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

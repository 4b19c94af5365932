import type { Clock } from '../../../kernel/clock.ts'
import type { BatchSplits } from '../../../kernel/db/batch-splits.ts'
import { createBatches } from '../../../kernel/db/batches.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { SentMessage } from '../../../upstream/resources/messages.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import type { LiveUpdate } from '../../live-updates/live-update.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import { buildMessageCountInsert } from '../../statistics/counts/service.ts'
import type { Publishing } from '../../webhooks/publishing/service.ts'
import { type MessageRow, toMessageEntry } from '../message-entry.ts'
import type { MessageError } from '../status.ts'
import { resultUnknown } from './idempotency-record.ts'
import type { FailedOutcome } from './outcome.ts'
import type { ReservedSend } from './reservations.ts'
import * as store from './store.ts'

const BATCH_SIZE = 200
const CONCURRENT_BATCHES_MAX = 2
const OTHER_WRITES = { buildUsageInsert, buildMessageCountInsert }

type Outcome = Pick<store.Settlement, 'outcome' | 'wamid' | 'contact' | 'error'>

type Dependencies = {
  sql: Pool
  now: Clock
  publishing: Pick<Publishing, 'publishWith'>
  logger: Logger
  batchSplits: BatchSplits
  liveUpdates: Pick<LiveUpdates, 'record'>
}

/** Records the outcomes of sends; concurrent ones share a statement. */
export function createSettlements({ sql, now, publishing, logger, batchSplits, liveUpdates }: Dependencies) {
  // None is refused: the message may have been sent. There are no more of them than reserved sends.
  const settle = createBatches<store.Settlement, boolean>({
    run: settleAll,
    runsMax: CONCURRENT_BATCHES_MAX,
    weightMax: BATCH_SIZE,
    onSplit: (err, count) => batchSplits.report('settlements', err, count),
  })

  /** Records outcomes and publishes message.sent for those that no status callback settled before. */
  async function settleAll(settlements: store.Settlement[]): Promise<boolean[]> {
    const events = settlements.flatMap(({ event }) => event ?? [])
    const settled = await publishing.publishWith(sql, events, (_, publication) =>
      store.settle(sql.urgent, settlements, publication, OTHER_WRITES),
    )
    liveUpdates.record(settlements, toMessageUpdates)
    const ids = new Set(settled.flatMap(({ settled_ids }) => settled_ids))
    return settlements.map(({ messageId }) => ids.has(messageId))
  }

  function buildEvent(send: ReservedSend, outcome: Outcome): store.Settlement['event'] {
    if (outcome.outcome !== 'accepted') return null
    const { organizationId, channelId } = send
    const data = { message: toMessageEntry(toRow(send, outcome)) }
    return { organizationId, id: newId(now()), channelId, kind: 'message.sent', data }
  }

  /** Returns false if a status callback settled the send first. */
  async function record(send: ReservedSend, outcome: Outcome): Promise<boolean> {
    const { organizationId, channelId, messageId, key } = send
    const event = buildEvent(send, outcome)
    try {
      return await settle({ organizationId, channelId, messageId, key, ...outcome, event })
    } catch (err) {
      // The send stays unsettled, so its outcome is unknown to every later request with the key.
      logger.error({ err, message_id: messageId, outcome: outcome.outcome }, 'the outcome of a send was not recorded')
      throw resultUnknown(messageId)
    }
  }

  return {
    async recordAccepted(send: ReservedSend, { wamid, user_id }: SentMessage): Promise<void> {
      await record(send, { outcome: 'accepted', wamid, contact: toContact(user_id), error: null })
    },

    /** Returns false if a status callback settled the send first. An unknown outcome has no error: the message may arrive. */
    async recordFailure(
      send: ReservedSend,
      outcome: FailedOutcome,
      error: MessageError,
      userId: string | null = null,
    ): Promise<boolean> {
      const contact = toContact(userId)
      return record(send, { outcome, wamid: null, contact, error: outcome === 'unknown' ? null : error })
    },
  }
}

function toContact(userId: string | null): MessageRow['contact'] {
  return userId === null ? null : { name: null, user_id: userId }
}

type MessageKey = { organizationId: string; channelId: string; messageId: string }

export function toMessageUpdates({ organizationId, channelId, messageId }: MessageKey): LiveUpdate[] {
  return [{ organizationId, kind: 'message.updated', channelId, messageId }]
}

function toRow(send: ReservedSend, { wamid, contact }: Outcome): MessageRow {
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

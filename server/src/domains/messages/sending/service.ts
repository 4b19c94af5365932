import type { Clock } from '../../../kernel/clock.ts'
import type { BatchSplits } from '../../../kernel/db/batch-splits.ts'
import { createLostSessions } from '../../../kernel/db/lost-sessions.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import type { SessionLock } from '../../../kernel/db/session-lock.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { invalidPart } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { Result, UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { MessageEdge, SentMessage } from '../../../upstream/resources/messages.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { BillingProvider } from '../../billing/provider/service.ts'
import { type ChannelConnections, type Credential, credentialUnreadable } from '../../channels/connection/service.ts'
import type { RequestedChecks } from '../../channels/health/requested-checks.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import { readTemplateName, type TemplateName, toRefusalReport } from '../../templates/sendability/report.ts'
import type { TemplateStates } from '../../templates/sendability/service.ts'
import type { Publishing } from '../../webhooks/publishing/service.ts'
import { type AddressedMessageBody, toContent } from '../body/message-body.ts'
import { findBrokenRules } from '../body/rules.ts'
import { identifyRecipient } from '../contacts/identify.ts'
import { createDeferredLog } from './deferred-log.ts'
import { type KeyedSendResult, resultUnknown, toKeyedSendResult } from './idempotency-record.ts'
import { isAboutChannel, toMessageError, toOutcome } from './outcome.ts'
import { computeFingerprint, type Recipient, readAddress, toUpstreamRecipient } from './recipient.ts'
import { findIdempotencyRecord } from './reservation-store.ts'
import { createReservations, type KeyedSendDraft, type ReservedSend, type SendDraft } from './reservations.ts'
import { createSettlements, type MessageKey, toMessageUpdates } from './settlements.ts'
import * as store from './store.ts'

/**
 * The states of an Idempotency-Key. A key belongs to its channel and names one send; each change of state is one committed
 * statement.
 *
 * free: no send holds the key. A request reserves it: the key and the unsettled send, with all that the log will have of
 * it, are committed before the upstream call. Until the outcome is known the log shows the unsettled send, as `sending`. Of concurrent requests with one key exactly one reserves it.
 *
 * in progress: reserved, and the upstream call may be running. Another request with the key gets 409
 * OPERATION_IN_PROGRESS. The upstream's response ends the state:
 *   accepted: the log entry is written as `accepted`, and message.sent is recorded;
 *   refused: the log entry is written as `failed`;
 *   certainly not sent (no connection, a throttle, a transient error that the upstream reports, a refused credential):
 *     the key is free again, and the log has the send as `failed`;
 *   anything else: unknown.
 * The outcome is written until the database takes it, and the lease of the send is extended meanwhile. A request that has
 * waited for that until its deadline gets 409 SEND_RESULT_UNKNOWN, and later ones the outcome. If the process dies, so does
 * its session lock, which the send names: a job of any process notices within seconds and marks the send unknown. Without
 * a lock it waits until the lease, longer than any send, expires.
 *
 * unknown: the outcome is not known. The key gets 409 SEND_RESULT_UNKNOWN until a status callback returns the hub's id
 * (`biz_opaque_callback_data`), which makes it accepted and records message.sent. An upstream response that arrives after
 * the lease expired does the same.
 *
 * accepted: the same key and body get the same 202 again.
 *
 * refused: the same key and body get the same 400 again.
 *
 * A key is kept for 30 days. Another body under a held key is 400 IDEMPOTENCY_KEY_REUSED in every state.
 * A send is unsettled until its outcome is recorded. The upstream's response and the callback may arrive together: both
 * lock the row of the unsettled send first, and only the one that deletes it records the outcome.
 */

const MARKED_BATCH_SIZE = 200
const DELETE_BATCH_SIZE = 5000

const TABLES = [
  'message_keys',
  'unsettled_sends',
  'message_wamids',
  'messages',
  'contacts',
  'message_exports',
  'export_leases',
]

type Dependencies = {
  sql: Pool
  now: Clock
  upstream: Upstream
  timeoutMs: number
  billing: BillingProvider
  connections: ChannelConnections
  requestedChecks: Pick<RequestedChecks, 'request'>
  publishing: Publishing
  logger: Logger
  batchSplits: BatchSplits
  liveUpdates: Pick<LiveUpdates, 'record'>
  processLock: Pick<SessionLock, 'readKey'>
  checksTemplates: boolean
  templateStates: Pick<TemplateStates, 'record'>
  /** Tests lower it. */
  waitingWeightMax?: number
}

/** A message that a client of the facade wrote. `callbackData` is the client's own, if it can identify the send. */
type Forwarding = Omit<SendDraft, 'key' | 'bodyHash' | 'contact'> & {
  userId: string | null
  body: JsonObject
  edge?: MessageEdge
}

/** A body has its recipient only on the routes of numbers. `further` are members beside the message. */
type SendRequest = {
  organizationId: string
  channelId: string
  key: string
  recipient: Recipient
  body: AddressedMessageBody
  further?: JsonObject
}

/** `isReplay`: the result is that of an earlier request. */
type Sent = { result: KeyedSendResult; isReplay: boolean }
export type Messages = ReturnType<typeof createMessages>

export function createMessages(deps: Dependencies) {
  const { sql, now, logger, upstream, connections, requestedChecks, liveUpdates, templateStates } = deps
  const deferredLog = createDeferredLog({ sql, now })
  const reservations = createReservations({ ...deps, deferredLog })
  const settlements = createSettlements(deps)
  const lostProcesses = createLostSessions({ listUnlocked: () => store.listUnlockedProcesses(sql), now })

  async function callUpstream(send: ReservedSend<KeyedSendDraft>): Promise<KeyedSendResult> {
    const { organizationId, channelId: id, messageId, type, recipient, content, further, channel } = send
    const token = connections.readToken(organizationId, { id, access_token: channel.access_token })
    if (token === undefined || channel.phone_number_id === null) {
      await settlements.recordFailure(send, 'not-sent', UNREADABLE_CREDENTIAL)
      throw credentialUnreadable()
    }
    const sentAt = now()
    const body = {
      ...toUpstreamRecipient(recipient),
      type,
      [type]: content,
      ...further,
      biz_opaque_callback_data: messageId,
    }
    const edge = recipient.kind === 'number' ? recipient.edge : 'messages'
    const result = await upstream.messages.send(token, channel.phone_number_id, body, edge)
    if (result.ok) return accept(send, result.value)
    const account = { organizationId, wabaId: channel.waba_id }
    const template = readTemplateName(type, content)
    const [failed] = await Promise.all([
      fail(send, token, result.failure),
      recordTemplate(account, template, result.failure, sentAt),
    ])
    return failed
  }

  /** Records a refusal's report of the template. The send fails in any case, so a report that is lost matters little. */
  async function recordTemplate(
    { organizationId, wabaId }: { organizationId: string; wabaId: string | null },
    template: TemplateName | undefined,
    { code }: UpstreamFailure,
    reportedAt: Date,
  ): Promise<void> {
    const report = template && toRefusalReport(template, code)
    if (!report || wabaId === null) return
    await templateStates.record(sql, [{ organizationId, wabaId, ...report, reportedAt }]).catch((err: unknown) => {
      logger.warn({ err, organization_id: organizationId }, 'the status of a template was not recorded')
    })
  }

  async function accept(send: ReservedSend<KeyedSendDraft>, sent: SentMessage): Promise<KeyedSendResult> {
    const contact = await settlements.recordAccepted(send, sent)
    const { messageId: id, channelId: channel_id, address: to, type, createdAt: created_at } = send
    const upstream_message_id = sent.wamid
    return {
      kind: 'accepted',
      message: { id, channel_id, status: 'accepted', to, type, upstream_message_id, contact, created_at },
    }
  }

  /** A status callback may have settled the send first; then its outcome is the result. */
  async function fail(
    send: ReservedSend<KeyedSendDraft>,
    token: string,
    failure: UpstreamFailure,
  ): Promise<KeyedSendResult> {
    const { organizationId, channelId: id, messageId } = send
    const outcome = toOutcome(failure)
    const error = toMessageError(failure)
    if (isAboutChannel(failure)) requestedChecks.request({ organizationId, id }, 'all')
    const isFirst = await settlements.recordFailure(send, outcome, error)
    const record = isFirst ? undefined : await findIdempotencyRecord(sql, send)
    // Another send may hold the key, if this one was not sent and the answer to its first record was lost.
    if (record?.message_id === messageId) return toKeyedSendResult(record, send)
    if (outcome === 'unknown') return { kind: 'unknown', messageId }
    return outcome === 'refused' ? { kind: 'refused', error } : connections.fail({ organizationId, id }, token, failure)
  }

  async function markAll(markBatch: (limit: number) => Promise<MessageKey[]>): Promise<void> {
    for (let count = MARKED_BATCH_SIZE; count === MARKED_BATCH_SIZE; ) {
      const marked = await markBatch(MARKED_BATCH_SIZE)
      liveUpdates.record(marked, toMessageUpdates)
      count = marked.length
    }
  }

  return {
    async send({ organizationId, channelId, key, recipient, body, further = {} }: SendRequest): Promise<Sent> {
      const [issue, ...issues] = findBrokenRules(body)
      if (issue) throw invalidPart('body', [issue, ...issues])
      settlements.requireRoom()
      const address = readAddress(recipient)
      const userId = recipient.kind === 'user' ? recipient.userId : null
      const to = recipient.kind === 'user' ? null : address
      const contact = recipient.kind === 'group' ? null : identifyRecipient({ organizationId, channelId, to, userId })
      const draft = { organizationId, channelId, key, type: body.type, to, contact, content: toContent(body) }
      const bodyHash = computeFingerprint(recipient, { ...body, ...further })
      const addressed = { bodyHash, recipient, address, further, context: null, callbackData: null }
      const reserved = await reservations.reserveKey({ ...draft, ...addressed })
      if ('kind' in reserved) {
        return { result: reserved, isReplay: reserved.kind === 'accepted' || reserved.kind === 'refused' }
      }
      return { result: await callUpstream(reserved), isReplay: false }
    },

    /**
     * Sends without an Idempotency-Key. The upstream's response and its failures are returned unchanged; only an unknown
     * outcome throws. The log shows what became of the message.
     */
    async forward(forwarding: Forwarding, { token, phoneNumberId, wabaId }: Credential): Promise<Result<string>> {
      const { organizationId, channelId, to } = forwarding
      const isToGroup = forwarding.body.recipient_type === 'group'
      const contact = isToGroup ? null : identifyRecipient({ organizationId, channelId, to, userId: forwarding.userId })
      const { body, userId: _, edge, ...draft } = { ...forwarding, contact, key: null, bodyHash: null }
      settlements.requireRoom()
      const send = await reservations.reserve(draft)
      const sentAt = now()
      const identified = { biz_opaque_callback_data: send.messageId, ...body }
      const result = await upstream.messages.forward(token, phoneNumberId, identified, edge)
      if (result.ok) {
        const { sent, text } = result.value
        await settlements.recordAccepted(send, sent)
        return { ok: true, value: text }
      }
      const template = readTemplateName('template', body.template)
      const account = { organizationId, wabaId }
      const outcome = toOutcome(result.failure)
      if (isAboutChannel(result.failure)) requestedChecks.request({ organizationId, id: channelId }, 'all')
      await Promise.all([
        settlements.recordFailure(send, outcome, toMessageError(result.failure)),
        recordTemplate(account, template, result.failure, sentAt),
      ])
      if (outcome === 'unknown') throw resultUnknown(send.messageId)
      return result
    },

    countWaitingOutcomes: settlements.countWaiting,
    deferLog: deferredLog.look,
    extendLeases: settlements.extendLeases,
    flush: settlements.flush,
    stop: settlements.stop,

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    /** Deletes keys, upstream ids and unsettled sends of messages older than these ids. */
    async deleteExpired(before: Record<store.SendTable, string>): Promise<void> {
      for (const tableName of store.SEND_TABLES) {
        const batch = { before: before[tableName], limit: DELETE_BATCH_SIZE }
        while ((await store.deleteFrom(sql, tableName, batch)) === DELETE_BATCH_SIZE);
      }
    },

    /** For sends that a process neither ended nor shows to be alive. */
    markExpiredUnknown: (): Promise<void> => markAll((limit) => store.markExpiredUnknown(sql, limit)),

    /** For sends of processes whose lock is gone. Their leases have not expired yet. */
    async markUnknownOfLostProcesses(): Promise<void> {
      const lost = await lostProcesses.list()
      if (lost.length > 0) await markAll((limit) => store.markUnknownOfProcesses(sql, lost, limit))
    },
  }
}

const UNREADABLE_CREDENTIAL = {
  code: null,
  title: 'The stored credential of the channel cannot be read',
  details: null,
}

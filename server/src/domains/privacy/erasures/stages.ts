import { hash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { type IdWindow, listIdWindows } from '../../../kernel/db/id-windows.ts'
import type { Json, Tx } from '../../../kernel/db/pool.ts'
import { readIdTime, toFirstId } from '../../../kernel/ids.ts'
import type { Audit } from '../../audit/service.ts'
import type { EventLog, ReplacedPayload, StoredPayload } from '../../events/log/service.ts'
import type { CallbackErasure } from '../../inbound/erasure/service.ts'
import type { Media } from '../../media/service.ts'
import type { Contacts } from '../../messages/contacts/service.ts'
import type { MessageErasure, MessageOfPerson } from '../../messages/erasure/service.ts'
import { BEFORE_ALL_DELIVERIES, type DeliveryPlace } from '../../webhooks/delivery-place.ts'
import type { DeliveryErasure } from '../../webhooks/erasure/service.ts'
import { PAYLOAD_CACHE_SECONDS_MAX } from '../../webhooks/publishing/payload-cache.ts'
import { isOfMessageBefore, type Remaining, removeFromChange, removeFromPayload } from './payload.ts'
import { addUserIds, concernsPerson, listIdentifiers, type Person } from './person.ts'
import { redactError } from './redaction.ts'
import type { ErasureCounts, Stage } from './schemas.ts'

/** Ids have the time of a process, whose clock may differ from the others by this much. */
const CLOCK_SKEW_MS = 5000
const EVENTS_AT_ONCE = 25

/**
 * The position at which a stage continues: before an id of a log, or after a delivery of a list. `repeats`: the stage has to start again;
 * `isSending`, not before a send has ended.
 */
export type Place = {
  before?: string
  after?: DeliveryPlace
  repeats?: boolean
  isSending?: boolean
  waitsUntil?: string
}

export type State = {
  organizationId: string
  requestedAt: string
  person: Person
  stage: Stage
  place: Place
  counts: ErasureCounts
}

/** The next state. `isWaiting`: what is left cannot be erased now. `isDone`: nothing is left. */
type Result = {
  counts?: Partial<ErasureCounts>
  person?: Person
  place?: Place
  stage?: Stage
  isWaiting?: true
  isDone?: true
}

/** Reads what a batch erases, and returns what erases it in the transaction that stores the progress. */
export type StageStep = (state: State) => Promise<(tx: Tx) => Promise<Result>>

type RetentionDays = { messages: number; events: number; deliveries: number; callbacks: number }

export type StageDependencies = {
  now: Clock
  messageErasure: MessageErasure
  contacts: Pick<Contacts, 'erase'>
  eventLog: EventLog
  deliveryErasure: DeliveryErasure
  callbackErasure: CallbackErasure
  media: Pick<Media, 'forget'>
  audit: Pick<Audit, 'erasePerson'>
  retentionDays: RetentionDays
}

/** An erasure covers rows of the time before it was requested. */
export function toHorizon(requestedAt: string): string {
  return toFirstId(new Date(Date.parse(requestedAt) + CLOCK_SKEW_MS))
}

/** The part of a log that has the next rows before an id; undefined at its end. */
export function findWindow(
  now: Date,
  organizationId: string,
  before: string,
  retentionDays: number,
): IdWindow | undefined {
  const createdAt = new Date(readIdTime(organizationId))
  return listIdWindows({ now, beforeId: before, createdAt, retentionDays }).find(({ from }) => from < before)
}

/**
 * The stages of an erasure, in their order. Each step is bounded, and repeating one changes nothing: a worker that dies
 * leaves the place of its last batch.
 *
 *   messages         erases the messages, and finds the user ids that belong to the number. Starts again while a send to
 *                    the person is in progress, or if a user id was found. Deletes the contacts of the person at last.
 *   open_deliveries  cancels the deliveries of events that are only about the person.
 *   events           deletes these events, also those of the messages since the request, and removes the person from
 *                    payloads that others share.
 *   settling         waits until no process uses a payload of before, and attempts in progress have ended.
 *   deliveries       cancels replays that were queued meanwhile, and erases what receivers answered.
 *   callbacks        removes the person from the upstream's callbacks.
 *   audit_log        removes the person from the filters of exports.
 */
export function createStages(dependencies: StageDependencies): Record<Stage, StageStep> {
  const { now, messageErasure, contacts, eventLog, deliveryErasure, callbackErasure, media, audit } = dependencies
  const { retentionDays } = dependencies

  const messages: StageStep = async ({ organizationId, requestedAt, person, place }) => {
    const before = place.before ?? toHorizon(requestedAt)
    const window = findWindow(now(), organizationId, before, retentionDays.messages)
    if (!window) {
      if (place.isSending) return async () => ({ place: {}, isWaiting: true })
      if (place.repeats) return async () => ({ place: {} })
      return async (tx) => {
        await contacts.erase(tx, organizationId, person)
        return { stage: 'open_deliveries', place: {} }
      }
    }
    const identifiers = listIdentifiers(person)
    const { end, messages } = await messageErasure.scan({ organizationId, window, before, identifiers })
    const found = messages.filter((message) => concernsPerson(person, message))
    const known = found.reduce(addUserIds, person)
    return async (tx) => {
      const { sent, received, left } = await messageErasure.erase(tx, organizationId, found.map(toErased(person)))
      await media.forget(tx, organizationId, found.flatMap(toReceivedMedia))
      const isSending = place.isSending || left > 0
      const repeats = place.repeats || known !== person
      return {
        counts: { messages_sent: sent, messages_received: received },
        person: known,
        place: { before: end ?? window.from, repeats, isSending },
      }
    }
  }

  async function findOwnEvents({ organizationId, requestedAt, person }: State, ids: string[]): Promise<Set<string>> {
    const own = new Set<string>()
    const identifiers = listIdentifiers(person)
    for (let i = 0; i < ids.length; i += EVENTS_AT_ONCE) {
      const batch = { organizationId, ids: ids.slice(i, i + EVENTS_AT_ONCE), identifiers }
      for (const event of await eventLog.findWith(batch))
        if (removeFromEvent(event, person, toHorizon(requestedAt)) === null) own.add(event.id)
    }
    return own
  }

  /** Its messages are erased by now: what is published from here on does not have the person. */
  const openDeliveries: StageStep = async (state) => {
    const { organizationId, place } = state
    const after = place.after ?? BEFORE_ALL_DELIVERIES
    const page = await deliveryErasure.listOpen({ organizationId, after })
    const last = page.at(-1)
    if (!last) return async () => ({ stage: 'events', place: { before: toHorizon(now().toISOString()) } })
    const own = await findOwnEvents(state, [...new Set(page.map(({ event_id }) => event_id))])
    const canceled = page.filter(({ event_id }) => own.has(event_id))
    return async (tx) => ({
      counts: { deliveries_canceled: await deliveryErasure.cancel(tx, organizationId, canceled) },
      place: { after: { endpointId: last.endpoint_id, id: last.id } },
    })
  }

  const events: StageStep = async ({ organizationId, requestedAt, person, place, counts }) => {
    const before = place.before ?? toHorizon(requestedAt)
    const window = findWindow(now(), organizationId, before, retentionDays.events)
    if (!window) {
      const waitsUntil = new Date(now().getTime() + PAYLOAD_CACHE_SECONDS_MAX * 1000).toISOString()
      const next: Result = { stage: 'settling', place: { waitsUntil } }
      return async () => (counts.events > 0 ? next : { stage: 'callbacks', place: {} })
    }
    const { end, events } = await eventLog.scan({
      organizationId,
      window,
      before,
      identifiers: listIdentifiers(person),
    })
    const deleted: string[] = []
    const replaced: ReplacedPayload[] = []
    for (const event of events) {
      const remaining = removeFromEvent(event, person, toHorizon(requestedAt))
      if (remaining === null) deleted.push(event.id)
      else if (remaining !== 'unchanged') {
        replaced.push({ id: event.id, body: remaining, readHash: hash('sha256', event.body, 'buffer') })
      }
    }
    return async (tx) => {
      const count = await eventLog.erase(tx, organizationId, { deleted, replaced })
      // Another erasure has changed the rest: they are read again.
      const next = count < replaced.length ? before : (end ?? window.from)
      return { counts: { events: deleted.length + count }, place: { before: next } }
    }
  }

  const settling: StageStep = async ({ place }) => {
    if (now().getTime() < Date.parse(place.waitsUntil ?? '')) return async () => ({ isWaiting: true })
    return async () => ({ stage: 'deliveries', place: {} })
  }

  /** First those that are open, then, with a `before`, the log. */
  const deliveries: StageStep = async ({ organizationId, place }) => {
    const after = place.after ?? BEFORE_ALL_DELIVERIES
    const { before } = place
    if (before === undefined) {
      const page = await deliveryErasure.listOpen({ organizationId, after })
      const last = page.at(-1)
      if (!last && place.repeats) return async () => ({ place: {}, isWaiting: true })
      if (!last) return async () => ({ place: { before: toFirstId(new Date(now().getTime() + 3_600_000)) } })
      const gone = page.filter(({ is_gone }) => is_gone)
      return async (tx) => {
        const canceled = await deliveryErasure.cancel(tx, organizationId, gone)
        const responses = await deliveryErasure.eraseResponses(
          tx,
          organizationId,
          page.filter(({ is_erased }) => is_erased),
        )
        const repeats = place.repeats || canceled < countDeliveries(gone)
        const next = { after: { endpointId: last.endpoint_id, id: last.id }, repeats }
        return { counts: { deliveries_canceled: canceled, responses }, place: next }
      }
    }
    const window = findWindow(now(), organizationId, before, retentionDays.deliveries)
    if (!window) return async () => ({ stage: 'callbacks', place: {} })
    const page = await deliveryErasure.listFinal({ organizationId, after, window })
    const last = page.at(-1)
    if (!last) return async () => ({ place: { before: window.from } })
    return async (tx) => ({
      counts: {
        responses: await deliveryErasure.eraseResponses(
          tx,
          organizationId,
          page.filter(({ is_erased }) => is_erased),
        ),
      },
      place: { before, after: { endpointId: last.endpoint_id, id: last.id } },
    })
  }

  const callbacks: StageStep = async ({ organizationId, requestedAt, person, place }) => {
    const before = place.before ?? toHorizon(requestedAt)
    const window = findWindow(now(), organizationId, before, retentionDays.callbacks)
    if (!window) return async () => ({ stage: 'audit_log', place: {} })
    const { end, callbacks } = await callbackErasure.scan({
      organizationId,
      window,
      before,
      identifiers: listIdentifiers(person),
    })
    const replaced = await callbackErasure.remove(organizationId, callbacks, (change) =>
      removeFromChange(change, person),
    )
    return async (tx) => {
      const count = await callbackErasure.replace(tx, replaced)
      const next = count < replaced.length ? before : (end ?? window.from)
      return { counts: { callbacks: count }, place: { before: next } }
    }
  }

  const auditLog: StageStep = async ({ organizationId, person }) => {
    return async (tx) => ({
      counts: { audit_entries: await audit.erasePerson(tx, organizationId, listIdentifiers(person)) },
      isDone: true,
    })
  }

  return { messages, open_deliveries: openDeliveries, events, settling, deliveries, callbacks, audit_log: auditLog }
}

/** Events after the horizon stay, except for those of messages from before. */
function removeFromEvent(event: StoredPayload, person: Person, horizon: string): Remaining {
  if (event.id >= horizon && !isOfMessageBefore(event, horizon)) return 'unchanged'
  return removeFromPayload(event, person)
}

function toErased(person: Person) {
  return ({ channel_id: channelId, id, direction, recipient, error }: MessageOfPerson) => ({
    channelId,
    id,
    error: redactError(error, person, direction === 'outbound' ? recipient : null),
  })
}

/** With those that are not made yet. */
export function countDeliveries(open: readonly { count: number }[]): number {
  return open.reduce((sum, { count }) => sum + count, 0)
}

/** Files that the business uploaded may be those of other messages too. */
function toReceivedMedia({ direction, channel_id: channelId, mediaId }: MessageOfPerson) {
  return direction === 'inbound' && mediaId !== null ? [{ channelId, mediaId }] : []
}

export function toJson(place: Place): Json {
  return { ...place }
}

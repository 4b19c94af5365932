import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../kernel/clock.ts'
import type { BatchSplits } from '../../kernel/db/batch-splits.ts'
import { createBatches } from '../../kernel/db/batches.ts'
import { afterCommit, isDatabaseUnavailable, type Pool, type Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { isObject } from '../../kernel/json/values.ts'
import type { Logger } from '../../kernel/logger.ts'
import { trace } from '../../kernel/tracing.ts'
import type { RequestedChecks } from '../channels/health/requested-checks.ts'
import type { StatusSignals } from '../channels/signals/service.ts'
import type { StatusSignal } from '../channels/signals/signals.ts'
import type { Media } from '../media/service.ts'
import type { InboundUpdate } from '../messages/inbound-updates/apply.ts'
import type { PaymentUpdate } from '../messages/inbound-updates/payments.ts'
import type { InboundUpdates, LookedUp } from '../messages/inbound-updates/service.ts'
import { readCallbackReport } from '../templates/sendability/report.ts'
import type { ReportOfAccount, TemplateStates } from '../templates/sendability/service.ts'
import type { Publishing } from '../webhooks/publishing/service.ts'
import type { Callback, Item } from './callback.ts'
import { readChallenge, type Verification } from './challenge.ts'
import { isNumberField } from './change-events.ts'
import { toChannelKey, toEvents, toMedia } from './change-rows.ts'
import { type Change, computeFingerprint, readEnvelope } from './envelope.ts'
import { type ErasedIds, hasErased, removeErased, removeErasedFromBytes } from './erasure/erased-messages.ts'
import { createKnownChannels } from './known-channels.ts'
import { toMessageUpdates, toPaymentUpdates } from './message-updates.ts'
import { createNewCallbacks } from './new-callbacks.ts'
import { isOfHistory, type Notice, toNotices } from './notices.ts'
import type { RefusedCallbacks } from './refused-callbacks.ts'
import {
  buildChannelIndex,
  type ChangeTarget,
  findChangeTarget,
  findTargetChannels,
  type TargetChannel,
} from './routing.ts'
import { isSigned } from './signature.ts'
import {
  asksForCheck,
  readApprovedName,
  readRestrictedUntilMs,
  readStatusChange,
  readUsername,
} from './status-signals.ts'
import * as store from './store.ts'

const CONCURRENT_BATCHES = 3
/** One callback of the upstream holds 1,000 updates at most. */
const CHANGES_PER_BATCH = 1000
const BYTES_PER_WEIGHT = 4096
/** 32 MiB of callbacks, or 4,000 usual ones. The upstream repeats what is refused. */
const WAITING_WEIGHT_MAX = 8192
/** The upstream's clock may be ahead of ours by this much. */
const CLOCK_SKEW_MS = 5 * 60_000
const SEEN_DAYS = 10
const DELETE_BATCH_SIZE = 5000

const TABLES = ['seen_changes', 'callbacks']

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  app: { appSecret: string; verifyToken: string }
  /** True if other cells get the same callbacks: then this hub stores nothing of what concerns none of its channels. */
  isCell: boolean
  inboundUpdates: InboundUpdates
  publishing: Pick<Publishing, 'publishWith'>
  media: Media
  statusSignals: StatusSignals
  requestedChecks: Pick<RequestedChecks, 'request'>
  templateStates: Pick<TemplateStates, 'record'>
  batchSplits: BatchSplits
  refusedCallbacks: RefusedCallbacks
}

export type Inbound = ReturnType<typeof createInbound>

/**
 * Receives the upstream's callbacks. A 200 means that everything is committed: the exact
 * bytes, the message log, channel statuses, events and their deliveries. Callbacks that
 * arrive together share a transaction; one that the database refuses fails alone.
 */
export function createInbound(dependencies: Dependencies) {
  const { sql, now, logger, app, isCell, inboundUpdates, media, statusSignals, batchSplits } = dependencies
  const { refusedCallbacks, requestedChecks, templateStates } = dependencies
  const knownChannels = createKnownChannels()
  const newCallbacks = createNewCallbacks({ ...dependencies, knownChannels })
  const batches = {
    runsMax: CONCURRENT_BATCHES,
    weightMax: CHANGES_PER_BATCH,
    waitingWeightMax: WAITING_WEIGHT_MAX,
    onSplit: (err: unknown, count: number) => batchSplits.report('callbacks', err, count),
  }
  const takeNew = createBatches({
    ...batches,
    run: newCallbacks.take,
    weightOf: ({ callback }) => weigh(callback),
  })
  const learnChannels = createBatches({ ...batches, run: newCallbacks.learn, weightOf: weigh })
  const commit = createBatches<Callback, undefined>({ ...batches, run: commitAll, weightOf: weigh })

  /** In one statement if all of the callback is new, and else in a transaction that compares it with what is stored. */
  async function storeCallback(callback: Callback): Promise<void> {
    if (newCallbacks.needsLearning(callback)) await learnChannels(callback)
    const prepared = newCallbacks.prepare(callback)
    if (!prepared || !(await takeNew(prepared))) await commit(callback)
  }

  async function commitAll(callbacks: Callback[]): Promise<undefined[]> {
    try {
      await sql.begin(
        (tx) => prepareAll(tx, callbacks),
        (write) => write(),
      )
    } catch (err) {
      if (!(err instanceof ChannelsChanged)) throw err
      // The right ones are known by now.
      return commitAll(callbacks)
    }
    return callbacks.map(() => undefined)
  }

  /**
   * Reads and locks, and returns what writes. The channels are those that the process knows, if it knows all of them: they are
   * read beside what is looked up by them.
   */
  async function prepareAll(tx: Tx, callbacks: Callback[]): Promise<() => Promise<unknown>> {
    const targets = new Map(
      callbacks.flatMap(({ changes }) => changes.map((change) => [change, findChangeTarget(change)])),
    )
    const ids = listTargetIds([...targets.values()])
    const known = ids.wabaIds.length === 0 ? knownChannels.list(ids.phoneNumberIds) : undefined
    const readChannels = async () => {
      const found = await store.findChannels(tx.reading, ids)
      knownChannels.put(ids.phoneNumberIds, found)
      return found
    }
    const assumed = known ?? (await readChannels())
    const channels = buildChannelIndex(assumed)
    const findChannels = (change: Change) => findTargetChannels(targets.get(change) ?? null, channels)
    const received = [...targets.keys()].flatMap((change) =>
      findChannels(change).map((channel) => ({ change, channel })),
    )
    const at = now()
    const toUpdates = ({ change, channel }: Item) => toMessageUpdates(change.field, change.value, { channel, now: at })
    const parts = new Map(received.map((item) => [item, toUpdates(item)]))
    // The first statement begins the transaction, so that those that write come first.
    const [{ items, repeated }, found, lookedUp] = await Promise.all([
      splitItems(tx, received),
      known ? readChannels() : assumed,
      inboundUpdates.lookUp(tx, [...parts.values()].flat()),
    ])
    if (!isSameChannels(assumed, found)) throw new ChannelsChanged()
    const { erased, write } = await prepareItems(tx, { items, repeated, parts, lookedUp, at })
    // The statements are sent at once: none needs the result of another.
    return () =>
      Promise.all([
        store.insertCallbacks(
          tx,
          callbacks
            .flatMap((callback) => (isCell ? keepOwnChanges(callback, findChannels, at) : [callback]))
            .map((callback) => toStoredCallback(callback, findChannels, erased)),
        ),
        write(),
      ])
  }

  /** `erased` are messages whose person was erased: what arrives about them is stored without the person. */
  async function prepareItems(tx: Tx, { items, repeated, parts, lookedUp, at }: ReadItems) {
    const toUpdates = (item: Item) => parts.get(item) ?? []
    const toPayments = ({ change, channel }: Item) => toPaymentUpdates(change.field, change.value, { channel, now: at })
    const fresh = await splitSeen(tx, {
      updates: items.flatMap(toUpdates),
      payments: items.flatMap(toPayments),
      notices: await readNotices(tx, items, at),
    })
    const updates = await inboundUpdates.prepareUpdates(tx, {
      incoming: fresh.updates,
      payments: fresh.payments,
      lookedUp,
    })
    const again = [...fresh.seen, ...repeated.flatMap((item) => [...toUpdates(item), ...toPayments(item)])]
    const erased = new Set([...updates.erased, ...(await inboundUpdates.listErased(tx, again))])
    if (items.length === 0) return { erased, write: async () => [] }
    await statusSignals.apply(
      tx,
      items.flatMap((item) => toStatusSignals(item, at)),
    )
    await templateStates.record(
      tx,
      items.flatMap((item) => toTemplateReports(item, at)),
    )
    const numbers = await statusSignals.describeNumbers(tx, items.filter(isOfNumber).map(toOwnKey))
    afterCommit(tx, () => requestChecks(items))
    const stored = items.map((item) => withoutErased(item, erased))
    const write = () =>
      Promise.all([
        updates.write([
          ...fresh.notices.map(({ event }) => event),
          ...stored.flatMap((item) => toEvents(item, numbers)),
        ]),
        media.recordReceived(tx, stored.flatMap(toMedia)),
      ])
    return { erased, write }
  }

  /** A flag of a number comes without its rating, and an upgrade without its level: the check of its channel fetches them. */
  function requestChecks(items: Item[]): void {
    for (const item of items) if (asksForCheck(item.change)) requestedChecks.request(toOwnKey(item), 'rating')
  }

  /** The history of a number is read for channels that import it only: it can be very long. */
  async function readNotices(tx: Tx, items: Item[], at: Date): Promise<Notice[]> {
    const ofHistory = items.filter(({ change }) => isOfHistory(change.field))
    const importing = await statusSignals.listImporting(tx, ofHistory.map(toOwnKey))
    return items.flatMap(({ change, channel }) => {
      if (isOfHistory(change.field) && !importing.has(channel.channel_id)) return []
      return toNotices(change.field, change.value, { channel, now: at })
    })
  }

  return {
    verifySubscription: (verification: Verification) => readChallenge(verification, app.verifyToken),

    async receive(bytes: Buffer, signature: string | string[] | undefined): Promise<void> {
      if (!isSigned(bytes, signature, app.appSecret)) {
        refusedCallbacks.count(bytes)
        throw new AppError('UNAUTHORIZED', 'callback_not_signed')
      }
      const read = readEnvelope(bytes)
      const problem = 'problem' in read ? read.problem : null
      const callback = { id: newId(now()), bytes, problem, changes: 'problem' in read ? [] : read.changes }
      if (problem !== null) logger.warn({ callback_id: callback.id, problem }, 'a callback could not be read')
      if (callback.changes.some(({ isCut }) => isCut)) {
        logger.warn(
          { callback_id: callback.id },
          'a callback is nested too deeply, and the deep part is in its raw event only',
        )
      }
      try {
        await trace({ name: 'store callback', kind: 'internal' }, (attributes) => {
          attributes['hubline.callback_id'] = callback.id
          attributes['hubline.changes'] = callback.changes.length
          return storeCallback(callback)
        })
      } catch (err) {
        if (err instanceof AppError && err.code === 'OVERLOADED') throw err
        // The upstream repeats a callback for days until it gets a 200, which promises that the callback is stored.
        if (!isDatabaseUnavailable(err))
          logger.error({ err, callback_id: callback.id }, 'a callback could not be stored')
        throw new AppError('NOT_READY', 'callback_not_stored', { cause: err })
      }
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteSeen(): Promise<void> {
      while ((await store.deleteSeen(sql, { days: SEEN_DAYS, limit: DELETE_BATCH_SIZE })) === DELETE_BATCH_SIZE);
    },
  }
}

/** The data read for the items of a transaction. `parts` are the messages and statuses of each. */
type ReadItems = {
  items: Item[]
  repeated: Item[]
  parts: ReadonlyMap<Item, InboundUpdate[]>
  lookedUp: LookedUp
  at: Date
}

/** A number is another channel's than the process knew. */
class ChannelsChanged extends Error {}

function isSameChannels(known: readonly TargetChannel[], found: readonly TargetChannel[]): boolean {
  const byNumber = new Map(found.map((channel) => [channel.phone_number_id, channel]))
  return known.every((channel) => isDeepStrictEqual({ ...byNumber.get(channel.phone_number_id) }, { ...channel }))
}

function weigh({ changes, bytes }: Callback): number {
  return 1 + changes.length + bytes.length / BYTES_PER_WEIGHT
}

function listTargetIds(targets: ChangeTarget[]): { phoneNumberIds: string[]; wabaIds: string[] } {
  const phoneNumberIds = new Set<string>()
  const wabaIds = new Set<string>()
  for (const target of targets) {
    if (target && 'phoneNumberId' in target) phoneNumberIds.add(target.phoneNumberId)
    if (target && 'wabaId' in target) wabaIds.add(target.wabaId)
  }
  return { phoneNumberIds: [...phoneNumberIds], wabaIds: [...wabaIds] }
}

/** Apart from the changes that their channel has received before, and from repeats. */
async function splitItems(tx: Tx, received: Item[]): Promise<{ items: Item[]; repeated: Item[] }> {
  if (received.length === 0) return { items: [], repeated: [] }
  const byKey = new Map(received.map((item) => [`${item.channel.channel_id} ${item.change.fingerprint}`, item]))
  const seen = [...byKey.values()].map(({ change, channel }) => ({
    ...toChannelKey(channel),
    fingerprint: change.fingerprint,
  }))
  const unseen = new Set((await store.insertSeen(tx, seen)).map((row) => `${row.channel_id} ${row.fingerprint}`))
  const { items = [], repeated = [] } = Object.groupBy(byKey, ([key]) => (unseen.has(key) ? 'items' : 'repeated'))
  return { items: items.map(([, item]) => item), repeated: repeated.map(([, item]) => item) }
}

type Parts = { updates: InboundUpdate[]; payments: PaymentUpdate[]; notices: Notice[] }
type Part = InboundUpdate | PaymentUpdate | Notice

/**
 * Apart from what their channel has received before: statuses of payments and of members of a group, and the parts of changes
 * that are no messages. Of other statuses the message keeps which it had. `seen` are the statuses that repeat.
 */
async function splitSeen(
  tx: Tx,
  { updates, payments, notices }: Parts,
): Promise<Parts & { seen: (InboundUpdate | PaymentUpdate)[] }> {
  const keyed = new Map<Part, string>()
  for (const payment of payments) keyed.set(payment, toStatusKey('payment', payment, payment.status, null))
  for (const notice of notices) keyed.set(notice, computeFingerprint(JSON.stringify([notice.channelId, notice.part])))
  for (const update of updates) {
    if (update.kind !== 'status' || update.participant === null) continue
    keyed.set(update, toStatusKey('message', update, update.report.status, update.participant))
  }
  if (keyed.size === 0) return { updates, payments, notices, seen: [] }
  const first = new Map([...keyed].toReversed().map(([part, fingerprint]) => [fingerprint, part]))
  const keys = [...first].map(([fingerprint, { organizationId, channelId }]) => {
    return { organizationId, channelId, fingerprint }
  })
  const unseen = new Set((await store.insertSeen(tx, keys)).map(({ fingerprint }) => fingerprint))
  const isNew = (part: Part) => {
    const fingerprint = keyed.get(part)
    return fingerprint === undefined || (unseen.has(fingerprint) && first.get(fingerprint) === part)
  }
  const seen = [...updates, ...payments].filter((part) => !isNew(part))
  return { updates: updates.filter(isNew), payments: payments.filter(isNew), notices: notices.filter(isNew), seen }
}

function toStatusKey(
  type: 'message' | 'payment',
  { channelId, wamid }: InboundUpdate | PaymentUpdate,
  status: string,
  participant: string | null,
): string {
  return computeFingerprint(JSON.stringify([channelId, wamid, type, status, participant]))
}

function withoutErased(item: Item, erased: ErasedIds): Item {
  const { value } = item.change
  if (!isObject(value) || !hasErased(value, erased)) return item
  const raw = removeErasedFromBytes(item.change.raw, erased)
  return { ...item, change: { ...item.change, value: removeErased(value, erased), raw } }
}

/**
 * Nothing of a callback without a channel of this hub. One that concerns other cells too becomes a callback for each of its
 * own changes, so that what is erased in the other cell is not stored in this one.
 */
function keepOwnChanges(callback: Callback, findChannels: (change: Change) => TargetChannel[], at: Date): Callback[] {
  const own = callback.changes.filter((change) => findChannels(change).length > 0)
  if (own.length === callback.changes.length) return own.length === 0 ? [] : [callback]
  return own.map((change) => ({ ...callback, id: newId(at), bytes: change.raw, changes: [change] }))
}

/** A callback is one organization's if each of its changes concerns channels of that one and no other. */
function toStoredCallback(
  { id, bytes, changes, problem }: Callback,
  findChannels: (change: Change) => TargetChannel[],
  erased: ErasedIds,
): store.NewCallback {
  const owners = changes.map((change) => findChannels(change).map(({ organization_id }) => organization_id))
  const [owner = null, ...others] = new Set(owners.flat())
  const isShared = others.length > 0 || owners.some((list) => list.length === 0)
  const isErased = changes.some(({ value }) => hasErased(value, erased))
  return {
    id,
    organizationId: isShared ? null : owner,
    bytes: isErased ? removeErasedFromBytes(bytes, erased) : bytes,
    problem,
  }
}

function toOwnKey({ channel }: Item) {
  return { organizationId: channel.organization_id, id: channel.channel_id }
}

function isOfNumber({ change }: Item): boolean {
  return isNumberField(change.field)
}

function toStatusSignals({ change, channel }: Item, now: Date): StatusSignal[] {
  const { field, value } = change
  const signal = { ...toChannelKey(channel), signaledAtSeconds: change.entryTime ?? Math.floor(now.getTime() / 1000) }
  const verifiedName = readApprovedName(field, value)
  if (verifiedName !== null) return [{ ...signal, about: 'name', verifiedName }]
  const username = readUsername(field, value)
  if (username !== undefined) return [{ ...signal, about: 'username', username }]
  const statusChange = readStatusChange(field, value)
  if (statusChange === null) return []
  if (field === 'phone_number_quality_update') return [{ ...signal, about: 'number', change: statusChange }]
  return [{ ...signal, about: 'account', change: statusChange, restrictedUntilMs: readRestrictedUntilMs(value) }]
}

function toTemplateReports({ change, channel }: Item, now: Date): ReportOfAccount[] {
  const report = readCallbackReport(change.field, change.value)
  const reportedMs = (change.entryTime ?? Number.POSITIVE_INFINITY) * 1000
  // A time far in the future would keep all later reports out.
  const reportedAt = reportedMs > now.getTime() + CLOCK_SKEW_MS ? now : new Date(reportedMs)
  const { organization_id: organizationId, waba_id: wabaId } = channel
  return report ? [{ organizationId, wabaId, ...report, reportedAt }] : []
}

import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { NewEvent } from '../../events/catalog.ts'
import { isSendingImpossible } from '../../webhooks/publishing/compat-payload.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import { STATUS_EVENT } from '../status.ts'
import { toChannelEventData } from '../view.ts'
import { applySignal, type SignalState, type StatusSignal } from './signals.ts'
import * as store from './store.ts'

/** A number as its channel has it. */
export type NumberDescription = Record<
  'phone_number_id' | 'display_phone_number' | 'verified_name' | 'quality_rating',
  string | null
>
/** By channel. */
export type NumberDescriptions = ReadonlyMap<string, NumberDescription>

export type StatusSignals = ReturnType<typeof createStatusSignals>

export function createStatusSignals({ now, publish }: { now: Clock; publish: Publish }) {
  return {
    /** The numbers of channels, with the changes that this transaction has made. */
    async describeNumbers(tx: Tx, keys: store.ChannelKey[]): Promise<NumberDescriptions> {
      const rows = keys.length === 0 ? [] : await store.listNumbers(tx, keys)
      return new Map(rows.map(({ id, ...number }) => [id, number]))
    },

    /** The ids of those channels that import the history of their number. */
    async listImporting(tx: Tx, keys: store.ChannelKey[]): Promise<ReadonlySet<string>> {
      return new Set(keys.length === 0 ? [] : (await store.listImporting(tx, keys)).map(({ id }) => id))
    },

    /** Moves channels by what the upstream reports of their account or number, in the order of its times. */
    async apply(tx: Tx, signals: StatusSignal[]): Promise<void> {
      if (signals.length === 0) return
      const byChannel = Map.groupBy(signals, ({ channelId }) => channelId)
      const rows = await store.lockSignalStates(tx, [...byChannel.values()].flatMap(toChannelKey))
      const ownerIds = new Set((await store.lockNumberOwners(tx, rows)).map(({ channel_id }) => channel_id))
      const own = rows.filter(({ id }) => ownerIds.has(id))
      if (own.length === 0) return
      const results = own.map((row) => applyInOrder(row, byChannel.get(row.id) ?? [], now()))
      await store.updateSignalStates(
        tx,
        results.map(({ state }) => state),
      )
      await publish(
        tx,
        results.flatMap(({ events }) => events),
      )
    },
  }
}

/** A new status, or in the same one that the account can no longer send, or can again. */
function isAnnounced(before: SignalState, after: SignalState, nowMs: number): boolean {
  if (after.status !== before.status) return true
  const isBlocked = ({ accountReason, restrictedUntilMs }: SignalState) =>
    restrictedUntilMs > nowMs && isSendingImpossible(accountReason)
  return after.status === 'degraded' && isBlocked(after) !== isBlocked(before)
}

function toChannelKey([signal]: StatusSignal[]): store.ChannelKey[] {
  return signal ? [{ organizationId: signal.organizationId, id: signal.channelId }] : []
}

/** The channel's state after the signals, and an event for each status that it entered. */
function applyInOrder(row: store.SignalStateRow, signals: StatusSignal[], now: Date) {
  const { organization_id: organizationId, id: channelId } = row
  let state: SignalState = { ...row, verifiedName: row.verified_name }
  const events: NewEvent[] = []
  for (const signal of signals.toSorted((a, b) => a.signaledAtSeconds - b.signaledAtSeconds)) {
    const after = applySignal(state, signal, now.getTime())
    const { status, verifiedName: verified_name } = after
    if (
      status !== 'pending' &&
      signal.about !== 'name' &&
      signal.about !== 'username' &&
      isAnnounced(state, after, now.getTime())
    ) {
      const data = toChannelEventData({ ...row, status, verified_name }, signal.change.reason)
      events.push({ organizationId, kind: STATUS_EVENT[status], channelId, data })
    }
    state = after
  }
  return { state: { ...state, organizationId, id: channelId }, events }
}

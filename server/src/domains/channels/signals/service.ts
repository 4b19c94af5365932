import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import { STATUS_EVENT } from '../status.ts'
import { toChannelEventData } from '../view.ts'
import { applySignal, type SignalState, type StatusSignal } from './signals.ts'
import * as store from './store.ts'

export type StatusSignals = ReturnType<typeof createStatusSignals>

export function createStatusSignals({ now, publish }: { now: Clock; publish: Publish }) {
  return {
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
    if (status !== state.status && status !== 'pending' && signal.about !== 'name') {
      const data = toChannelEventData({ ...row, status, verified_name }, signal.change.reason)
      events.push({ organizationId, kind: STATUS_EVENT[status], channelId, data })
    }
    state = after
  }
  return { state: { ...state, organizationId, id: channelId }, events }
}

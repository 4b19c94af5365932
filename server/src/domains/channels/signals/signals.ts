import type { ChannelStatus, StatusChange } from '../status.ts'

/** What the upstream reports unasked: a status change of the account or of the number, or a new name. */
export type StatusSignal = {
  organizationId: string
  channelId: string
  /** Unix seconds. */
  signaledAt: number
} & (AccountSignal | NumberSignal | NameSignal)

type AccountSignal = {
  about: 'account'
  change: StatusChange
  /** Unix milliseconds. Until then a bad signal about the account overrides signals about the number. */
  heldUntil: number
}
type NumberSignal = { about: 'number'; change: StatusChange }
type NameSignal = { about: 'name'; verifiedName: string }

/** The latest signals of a channel, each with its time in Unix seconds; 0 if there was none. */
export type SignalState = {
  status: ChannelStatus
  verifiedName: string | null
  accountSignal: ChannelStatus | null
  accountSignalAt: number
  heldUntil: number
  numberSignal: ChannelStatus | null
  numberSignalAt: number
  nameSignalAt: number
}

/** Signals arrive late, twice and out of order: one that is older than the last of its kind changes nothing. */
export function applySignal(state: SignalState, signal: StatusSignal, now: number): SignalState {
  const { signaledAt } = signal
  if (signal.about === 'name') {
    if (signaledAt < state.nameSignalAt) return state
    return { ...state, verifiedName: signal.verifiedName, nameSignalAt: signaledAt }
  }
  const { status } = signal.change
  if (signal.about === 'account') {
    if (signaledAt < state.accountSignalAt) return state
    const heldUntil = status === 'active' ? 0 : signal.heldUntil
    return resolveStatus({ ...state, accountSignal: status, accountSignalAt: signaledAt, heldUntil }, signal, now)
  }
  if (signaledAt < state.numberSignalAt) return state
  return resolveStatus({ ...state, numberSignal: status, numberSignalAt: signaledAt }, signal, now)
}

/**
 * A bad signal about the account overrides the number's. A good signal about the number ends
 * only a bad one about the number: a channel that lost its account or credential stays so.
 */
function resolveStatus(state: SignalState, signal: AccountSignal | NumberSignal, now: number): SignalState {
  const { status, accountSignal, numberSignal } = state
  if (accountSignal !== null && state.heldUntil > now) return { ...state, status: accountSignal }
  if (signal.about === 'number' && status === 'disconnected') return state
  if (numberSignal === 'degraded') return { ...state, status: 'degraded' }
  return signal.change.status === 'active' ? { ...state, status: 'active' } : state
}

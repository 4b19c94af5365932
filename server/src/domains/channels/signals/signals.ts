import type { ChannelStatus, StatusChange } from '../status.ts'

/** A report that the upstream sends of its own accord: a status change of the account or of the number, a new name or another username. */
export type StatusSignal = {
  organizationId: string
  channelId: string
  signaledAtSeconds: number
} & (AccountSignal | NumberSignal | NameSignal | UsernameSignal)

type AccountSignal = {
  about: 'account'
  change: StatusChange
  /** Until then a bad signal about the account overrides signals about the number. */
  restrictedUntilMs: number
}
type NumberSignal = { about: 'number'; change: StatusChange }
type NameSignal = { about: 'name'; verifiedName: string }

/** `username` is null for a number that has none any more. */
type UsernameSignal = { about: 'username'; username: string | null }

/** The latest signals of a channel, each with its time in Unix seconds; 0 if there was none. */
export type SignalState = {
  status: ChannelStatus
  verifiedName: string | null
  username: string | null
  accountSignal: ChannelStatus | null
  accountReason: string | null
  accountSignalAt: number
  restrictedUntilMs: number
  numberSignal: ChannelStatus | null
  numberSignalAt: number
  nameSignalAt: number
  usernameSignalAt: number
}

/** Signals arrive late, twice and out of order: one that is older than the last of its kind changes nothing. */
export function applySignal(state: SignalState, signal: StatusSignal, nowMs: number): SignalState {
  const { signaledAtSeconds } = signal
  if (signal.about === 'name') {
    if (signaledAtSeconds < state.nameSignalAt) return state
    return { ...state, verifiedName: signal.verifiedName, nameSignalAt: signaledAtSeconds }
  }
  if (signal.about === 'username') {
    if (signaledAtSeconds < state.usernameSignalAt) return state
    return { ...state, username: signal.username, usernameSignalAt: signaledAtSeconds }
  }
  const { status, reason } = signal.change
  if (signal.about === 'account') {
    if (signaledAtSeconds < state.accountSignalAt) return state
    const restrictedUntilMs = status === 'active' ? 0 : signal.restrictedUntilMs
    return resolveStatus(
      { ...state, accountSignal: status, accountReason: reason, accountSignalAt: signaledAtSeconds, restrictedUntilMs },
      signal,
      nowMs,
    )
  }
  if (signaledAtSeconds < state.numberSignalAt) return state
  return resolveStatus({ ...state, numberSignal: status, numberSignalAt: signaledAtSeconds }, signal, nowMs)
}

/**
 * A bad signal about the account overrides the number's. A good signal about the number ends
 * only a bad one about the number: a channel that lost its account or credential stays so.
 */
function resolveStatus(state: SignalState, signal: AccountSignal | NumberSignal, nowMs: number): SignalState {
  const { status, accountSignal, numberSignal } = state
  if (accountSignal !== null && state.restrictedUntilMs > nowMs) return { ...state, status: accountSignal }
  if (signal.about === 'number' && status === 'disconnected') return state
  if (numberSignal === 'degraded') return { ...state, status: 'degraded' }
  return signal.change.status === 'active' ? { ...state, status: 'active' } : state
}

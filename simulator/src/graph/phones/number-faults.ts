import type { State } from '../state.ts'

/** Faults of one number: of the phones of its customers, and of its webhooks. */
export interface NumberFaults {
  /** Messages are sent and not delivered until the phone is back. */
  phoneOffline: boolean
  /** How much later each webhook is sent. */
  callbackDelayMs: number
  /** Whether each delivered webhook is sent a second time. */
  duplicate: boolean
  /** Whether webhooks are collected and sent in reverse order. */
  reorder: boolean
  /** Every message of the number fails with this code of the error table. */
  failWith: number | null
}

export const NO_NUMBER_FAULTS: Readonly<NumberFaults> = {
  phoneOffline: false,
  callbackDelayMs: 0,
  duplicate: false,
  reorder: false,
  failWith: null,
}

export function getNumberFaults(state: State, phoneId: string | undefined): Readonly<NumberFaults> {
  return state.numberFaults.get(phoneId ?? '') ?? NO_NUMBER_FAULTS
}

import type { NumberFaults } from '../model.ts'
import type { State } from '../state.ts'

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

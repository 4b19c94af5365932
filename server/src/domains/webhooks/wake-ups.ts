import { afterCommit } from '../../kernel/db/after-commit.ts'
import type { Tx } from '../../kernel/db/pool.ts'

export type EndpointKey = { organizationId: string; endpointId: string }

export type WakeUps = ReturnType<typeof createWakeUps>

/**
 * Tells whoever delivers that endpoints have something due, at the moment from
 * which it can be seen. Only a hint: what nobody hears is found by looking.
 */
export function createWakeUps() {
  const listeners = new Set<(endpoints: EndpointKey[]) => void>()

  function wake(endpoints: EndpointKey[]): void {
    for (const listener of listeners) listener(endpoints)
  }

  return {
    wake,

    listen(listener: (endpoints: EndpointKey[]) => void): void {
      listeners.add(listener)
    },

    whenCommitted(tx: Tx, endpoints: EndpointKey[]): void {
      if (endpoints.length > 0) afterCommit(tx, () => wake(endpoints))
    },
  }
}

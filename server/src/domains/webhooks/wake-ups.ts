import { afterCommit, type Tx } from '../../kernel/db/pool.ts'

export type EndpointKey = { organizationId: string; endpointId: string }

export type WakeUps = ReturnType<typeof createWakeUps>

/**
 * Signals inside this process that endpoints have due deliveries, as soon as
 * these are committed. Only a hint: polling finds what no listener got.
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

    wakeAfterCommit(tx: Tx, endpoints: EndpointKey[]): void {
      if (endpoints.length > 0) afterCommit(tx, () => wake(endpoints))
    },
  }
}

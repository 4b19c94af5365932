import { afterCommit, type Tx } from '../../kernel/db/pool.ts'

export type EndpointKey = { organizationId: string; endpointId: string }

export type WakeUps<Key = EndpointKey> = ReturnType<typeof createWakeUps<Key>>

/**
 * Signals inside this process that endpoints, or what a key names, have due deliveries, as soon as these are committed. The
 * signal is only a hint: polling finds deliveries whose signal was lost.
 */
export function createWakeUps<Key = EndpointKey>() {
  const listeners = new Set<(keys: Key[]) => void>()

  function wake(keys: Key[]): void {
    for (const listener of listeners) listener(keys)
  }

  return {
    wake,

    listen(listener: (keys: Key[]) => void): void {
      listeners.add(listener)
    },

    wakeAfterCommit(tx: Tx, keys: Key[]): void {
      if (keys.length > 0) afterCommit(tx, () => wake(keys))
    },
  }
}

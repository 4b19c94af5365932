import { openDirectPool, type Pool } from '../db/pool.ts'
import { lockRotation } from './sealing-keys-store.ts'

/**
 * Runs rotations one after another: two that add a key at once could lose one. The lock has a connection of its own, which
 * may be silent for as long as the rotation takes: the pool closes those that are.
 */
export async function withRotationLock<T>(sql: Pool, work: () => Promise<T>): Promise<T> {
  const own = openDirectPool(sql, { max: 1, name: 'hubline rotation', statementTimeoutMs: 0 })
  try {
    return (await own.begin(async (tx) => {
      await lockRotation(tx)
      return work()
    })) as T
  } finally {
    await own.end()
  }
}

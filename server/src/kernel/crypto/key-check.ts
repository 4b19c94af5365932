import type { Pool } from '../db/pool.ts'
import type { Sealing } from './sealing.ts'
import { deleteCanariesExcept, insertCanary, listCanaries } from './sealing-keys-store.ts'

/**
 * Records that the ring's first key is in use, and returns the ids of keys in use
 * that the ring lacks or has with other bytes.
 */
export async function findMissingKeys(sql: Pool, sealing: Sealing): Promise<string[]> {
  const id = sealing.currentKeyId()
  await insertCanary(sql, { id, canary: sealing.seal(id, buildCanaryPlace(id)) })
  const canaries = await listCanaries(sql)
  return canaries.filter((key) => sealing.open(key.canary, buildCanaryPlace(key.id)) !== key.id).map((key) => key.id)
}

function buildCanaryPlace(id: string) {
  return { table: 'sealing_keys', column: 'canary', organizationId: '', rowId: id }
}

/** Call it after all values were sealed again with the first key. */
export async function deleteOtherKeys(sql: Pool, sealing: Sealing): Promise<void> {
  await findMissingKeys(sql, sealing)
  await deleteCanariesExcept(sql, sealing.currentKeyId())
}

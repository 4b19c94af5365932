import { type Pool, readSqlState } from '../db/pool.ts'
import type { KeyRing } from './key-ring.ts'
import { createSealing, type Sealing } from './sealing.ts'
import { deleteCanariesExcept, insertCanary, listCanaries } from './sealing-keys-store.ts'

/**
 * Records that the ring's first key is in use, and returns the ids of keys in use
 * that the ring lacks or has with other bytes.
 */
export async function findMissingKeys(sql: Pool, sealing: Sealing): Promise<string[]> {
  const id = sealing.currentKeyId()
  await insertCanary(sql, { id, canary: sealing.seal(id, buildCanaryPlace(id)) })
  return (await listCanaries(sql)).filter((key) => !opens(sealing, key)).map((key) => key.id)
}

const UNDEFINED_TABLE = '42P01'

/** A key in use, without the key: its id, sealed with it. */
export type KeyProof = { id: string; canary: string }

/** Empty for a database of a version that keeps none, or of none. */
export async function listKeyProofs(sql: Pool): Promise<KeyProof[]> {
  return listCanaries(sql).catch((err: unknown) => {
    if (readSqlState(err) === UNDEFINED_TABLE) return []
    throw err
  })
}

/** The ids of the keys that the ring lacks or has with other bytes. Without a ring, all. */
export function findUnprovenKeys(proofs: readonly KeyProof[], ring: KeyRing | undefined): string[] {
  const sealing = ring && createSealing(() => ring)
  return proofs.filter((proof) => !sealing || !opens(sealing, proof)).map(({ id }) => id)
}

function opens(sealing: Sealing, { id, canary }: KeyProof): boolean {
  return sealing.open(canary, buildCanaryPlace(id)) === id
}

function buildCanaryPlace(id: string) {
  return { table: 'sealing_keys', column: 'canary', organizationId: '', rowId: id }
}

/** Call it after all values were sealed again with the first key. */
export async function deleteOtherKeys(sql: Pool, sealing: Sealing): Promise<void> {
  await findMissingKeys(sql, sealing)
  await deleteCanariesExcept(sql, sealing.currentKeyId())
}

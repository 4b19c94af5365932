import type { Pool } from '../db/pool.ts'
import * as store from './sealed-values-store.ts'
import type { SealedColumn, Sealing } from './sealing.ts'

const BATCH_SIZE = 500

type Resealed = { resealed: number; unreadable: number }

/** Seals a column's values again with the ring's first key. Values that no key opens are counted and not changed. */
export async function resealColumn(sql: Pool, sealing: Sealing, column: SealedColumn): Promise<Resealed> {
  const keyId = sealing.currentKeyId()
  const total: Resealed = { resealed: 0, unreadable: 0 }
  let after = store.BEFORE_ALL_ROWS
  for (;;) {
    const page = await store.listSealed(sql, column, { keyId, limit: BATCH_SIZE, after })
    const replacements = page.flatMap((row) => {
      const place = { ...column, organizationId: row.organizationId ?? '', rowId: row.id }
      const plain = sealing.open(row.sealed, place)
      return plain === undefined ? [] : [{ ...row, resealed: sealing.seal(plain, place) }]
    })
    if (replacements.length > 0) total.resealed += await store.replaceSealed(sql, column, replacements)
    total.unreadable += page.length - replacements.length
    const last = page.at(-1)
    if (last === undefined) return total
    after = last
  }
}

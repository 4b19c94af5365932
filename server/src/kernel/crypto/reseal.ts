import type { SealedPlace, Sealing } from './sealing.ts'

const BATCH = 500

export type RowKey = { organizationId: string; id: string }
export type Resealed = { resealed: number; unreadable: number }

/** How one sealed column is read in pages and written back. */
export type SealedColumn<Row> = {
  list: (page: { keyId: string; limit: number; after: RowKey | null }) => Promise<Row[]>
  keyOf: (row: Row) => RowKey
  sealedOf: (row: Row) => string
  placeOf: (row: Row) => SealedPlace
  replace: (rows: (RowKey & { from: string; to: string })[]) => Promise<number>
}

/** Seals a column's values again with the ring's first key. What no key opens is counted and left alone. */
export async function resealAll<Row>(sealing: Sealing, column: SealedColumn<Row>): Promise<Resealed> {
  const keyId = sealing.currentKeyId()
  const total: Resealed = { resealed: 0, unreadable: 0 }
  let after: RowKey | null = null
  for (;;) {
    const page: Row[] = await column.list({ keyId, limit: BATCH, after })
    const rows = page.flatMap((row) => {
      const from = column.sealedOf(row)
      const plain = sealing.open(from, column.placeOf(row))
      if (plain === undefined) return []
      return [{ ...column.keyOf(row), from, to: sealing.seal(plain, column.placeOf(row)) }]
    })
    if (rows.length > 0) total.resealed += await column.replace(rows)
    total.unreadable += page.length - rows.length
    const last = page.at(-1)
    if (last === undefined) return total
    after = column.keyOf(last)
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakableDatabase } from '../../../test/breakable-database.ts'

const ROUNDS = 2
const STATEMENTS = 25

// An empty answer in place of an error would read as "no such key", "no such row": a lie about the data.
test('a statement whose connection is lost fails, and never comes back empty', async (t) => {
  const database = await breakableDatabase(t)
  const outcomes = { rows: 0, failures: 0, empty: 0 }

  async function ask(): Promise<void> {
    for (let i = 0; i < STATEMENTS; i++) {
      await database.sql`select ${i}::int as number`.then(
        (rows) => {
          outcomes[rows.length === 1 && rows[0]?.number === i ? 'rows' : 'empty'] += 1
        },
        () => {
          outcomes.failures += 1
        },
      )
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const asking = Promise.all([ask(), ask(), ask(), ask(), ask(), ask()])
    await database.mend()
    await asking
  }
  await database.sql`select 1`

  assert.equal(outcomes.empty, 0)
  assert.ok(outcomes.rows > 0 && outcomes.failures > 0, JSON.stringify(outcomes))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { newId } from '../ids.ts'
import { dropPartitions, firstIdOf, makePartitions } from './partitions.ts'
import type { Pool } from './pool.ts'

const NOON = new Date('2026-11-15T12:00:00Z')
const DAY_MS = 86_400_000

let tables = 0

/** A partitioned table of the test's own. */
async function startTable() {
  const { sql } = await testDatabase()
  const table = `things_${++tables}`
  await sql.unsafe(`create table ${table} (id uuid primary key, note text) partition by range (id)`)
  await sql.unsafe(`create table ${table}_default partition of ${table} default`)

  async function insert(at: Date): Promise<string> {
    const id = newId(at)
    await sql`insert into ${sql(table)} (id, note) values (${id}, 'here')`
    return id
  }
  /** The partition that a row lies in. */
  async function placeOf(id: string): Promise<string | undefined> {
    const [row] = await sql<{ place: string }[]>`
      select tableoid::regclass::text as place from ${sql(table)} where id = ${id}`
    return row?.place
  }
  return { sql, table, insert, placeOf, partitions: () => partitionsOf(sql, table) }
}

async function partitionsOf(sql: Pool, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  return rows.map(({ name }) => name.replace(`${table}_`, ''))
}

function days(count: number): Date {
  return new Date(NOON.getTime() + count * DAY_MS)
}

test('a partition is made for today and for each day ahead, and rows go to the one of their day', async () => {
  const { sql, table, insert, placeOf, partitions } = await startTable()

  await makePartitions(sql, table, NOON, 3)
  const today = await insert(NOON)
  const tomorrow = await insert(days(1))

  assert.deepEqual(await partitions(), ['default', 'p20261115', 'p20261116', 'p20261117'])
  assert.equal(await placeOf(today), `${table}_p20261115`)
  assert.equal(await placeOf(tomorrow), `${table}_p20261116`)
})

test('a day begins with its first millisecond and ends with its last', async () => {
  const { sql, table, insert, placeOf } = await startTable()
  await makePartitions(sql, table, NOON, 2)

  const first = await insert(new Date('2026-11-15T00:00:00.000Z'))
  const last = await insert(new Date('2026-11-15T23:59:59.999Z'))
  const next = await insert(new Date('2026-11-16T00:00:00.000Z'))

  assert.equal(await placeOf(first), `${table}_p20261115`)
  assert.equal(await placeOf(last), `${table}_p20261115`)
  assert.equal(await placeOf(next), `${table}_p20261116`)
  assert.ok(first >= firstIdOf(NOON) && last < firstIdOf(days(1)))
})

test('a month and a year may end among the days ahead', async () => {
  const { sql, table, partitions } = await startTable()

  await makePartitions(sql, table, new Date('2027-12-31T23:59:59Z'), 2)

  assert.deepEqual(await partitions(), ['default', 'p20271231', 'p20280101'])
})

test('what finds no partition of its day is caught by the default one, and is not lost', async () => {
  const { sql, table, insert, placeOf } = await startTable()
  await makePartitions(sql, table, NOON, 1)

  const stray = await insert(days(30))

  assert.equal(await placeOf(stray), `${table}_default`)
})

test('a day whose rows are in the default partition stays there, and does not hold up the other days', async () => {
  const { sql, table, insert, placeOf, partitions } = await startTable()
  const early = await insert(NOON)

  await makePartitions(sql, table, NOON, 3)
  const late = await insert(days(1))

  assert.deepEqual(await partitions(), ['default', 'p20261116', 'p20261117'])
  assert.equal(await placeOf(early), `${table}_default`)
  assert.equal(await placeOf(late), `${table}_p20261116`)
})

test('days that have passed are dropped whole, the day of the limit and later ones stay', async () => {
  const { sql, table, insert, placeOf, partitions } = await startTable()
  await makePartitions(sql, table, NOON, 4)
  const ids = await Promise.all([0, 1, 2, 3].map((day) => insert(days(day))))

  await dropPartitions(sql, table, days(2))

  assert.deepEqual(await partitions(), ['default', 'p20261117', 'p20261118'])
  assert.deepEqual(await Promise.all(ids.map(placeOf)), [
    undefined,
    undefined,
    `${table}_p20261117`,
    `${table}_p20261118`,
  ])
})

test('the default partition is swept of days that have passed, and of nothing else', async () => {
  const { sql, table, insert, placeOf } = await startTable()
  const old = await insert(new Date('2026-11-14T23:59:59.999Z'))
  const kept = await insert(new Date('2026-11-15T00:00:00.000Z'))

  await dropPartitions(sql, table, NOON)

  assert.equal(await placeOf(old), undefined)
  assert.equal(await placeOf(kept), `${table}_default`)
})

test('a table whose name begins like another loses none of its partitions to it', async () => {
  const { sql, table } = await startTable()
  const longer = `${table}_parts`
  await sql.unsafe(`create table ${longer} (id uuid primary key) partition by range (id)`)
  await sql.unsafe(`create table ${longer}_default partition of ${longer} default`)
  await makePartitions(sql, table, NOON, 1)
  await makePartitions(sql, longer, NOON, 1)

  await dropPartitions(sql, table, days(5))

  assert.deepEqual(await partitionsOf(sql, longer), ['default', 'p20261115'])
  assert.deepEqual(await partitionsOf(sql, table), ['default'])
})

test('running again changes nothing', async () => {
  const { sql, table, insert, placeOf, partitions } = await startTable()
  await makePartitions(sql, table, NOON, 3)
  const id = await insert(NOON)

  await makePartitions(sql, table, NOON, 3)
  await dropPartitions(sql, table, NOON)
  await dropPartitions(sql, table, NOON)

  assert.deepEqual(await partitions(), ['default', 'p20261115', 'p20261116', 'p20261117'])
  assert.equal(await placeOf(id), `${table}_p20261115`)
})

test('any number of processes may make and drop at once, while rows arrive', async () => {
  const { sql, table, insert, placeOf, partitions } = await startTable()
  await makePartitions(sql, table, days(-5), 3)

  const rounds = Array.from({ length: 6 }, async () => {
    await makePartitions(sql, table, NOON, 7)
    await dropPartitions(sql, table, days(-1))
  })
  const arriving = Array.from({ length: 40 }, (_, i) => insert(days(i % 7)))
  await Promise.all(rounds)
  const ids = await Promise.all(arriving)

  const left = await partitions()
  assert.ok(left.every((name) => name === 'default' || name >= 'p20261114'))
  assert.ok((await Promise.all(ids.map(placeOf))).every((place) => place !== undefined))
})

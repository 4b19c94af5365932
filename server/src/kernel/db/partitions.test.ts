import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { newId } from '../ids.ts'
import { createPartitions, dropPartitions, toFirstIdOfDay, toPartitionDays } from './partitions.ts'
import { type Pool, readSqlState } from './pool.ts'

const NOON = new Date('2026-11-15T12:00:00Z')
const DAY_MS = 86_400_000

let tables = 0

/** A partitioned table for one test. */
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
  /** The partition that holds a row. */
  async function findPartition(id: string): Promise<string | undefined> {
    const [row] = await sql<{ place: string }[]>`
      select tableoid::regclass::text as place from ${sql(table)} where id = ${id}`
    return row?.place
  }
  return { sql, table, insert, findPartition, partitions: () => partitionsOf(sql, table) }
}

async function partitionsOf(sql: Pool, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  return rows.map(({ name }) => name.replace(`${table}_`, ''))
}

function days(count: number): Date {
  return new Date(NOON.getTime() + count * DAY_MS)
}

test('creates a partition for today and each day ahead, and rows go to the partition of their day', async () => {
  const { sql, table, insert, findPartition, partitions } = await startTable()

  await createPartitions(sql, table, NOON, 3)
  const today = await insert(NOON)
  const tomorrow = await insert(days(1))

  assert.deepEqual(await partitions(), ['default', 'p20261115', 'p20261116', 'p20261117'])
  assert.equal(await findPartition(today), `${table}_p20261115`)
  assert.equal(await findPartition(tomorrow), `${table}_p20261116`)
})

test('a partition holds its day from the first millisecond to the last', async () => {
  const { sql, table, insert, findPartition } = await startTable()
  await createPartitions(sql, table, NOON, 2)

  const first = await insert(new Date('2026-11-15T00:00:00.000Z'))
  const last = await insert(new Date('2026-11-15T23:59:59.999Z'))
  const next = await insert(new Date('2026-11-16T00:00:00.000Z'))

  assert.equal(await findPartition(first), `${table}_p20261115`)
  assert.equal(await findPartition(last), `${table}_p20261115`)
  assert.equal(await findPartition(next), `${table}_p20261116`)
  assert.ok(first >= toFirstIdOfDay(NOON) && last < toFirstIdOfDay(days(1)))
})

test('creates partitions across the end of a year', async () => {
  const { sql, table, partitions } = await startTable()

  await createPartitions(sql, table, new Date('2027-12-31T23:59:59Z'), 2)

  assert.deepEqual(await partitions(), ['default', 'p20271231', 'p20280101'])
})

test('a row without a partition of its day goes to the default partition', async () => {
  const { sql, table, insert, findPartition } = await startTable()
  await createPartitions(sql, table, NOON, 1)

  const stray = await insert(days(30))

  assert.equal(await findPartition(stray), `${table}_default`)
})

test('a new partition takes the rows of its day from the default partition', async () => {
  const { sql, table, insert, findPartition, partitions } = await startTable()
  const [early, other] = [await insert(NOON), await insert(days(40))]

  await createPartitions(sql, table, NOON, 3)

  assert.deepEqual(await partitions(), ['default', 'p20261115', 'p20261116', 'p20261117'])
  assert.equal(await findPartition(early), `${table}_p20261115`)
  assert.equal(await findPartition(other), `${table}_default`)
})

test('partitions of several days begin at multiples of their length, and after those that exist', async () => {
  const { sql, table, insert, findPartition, partitions } = await startTable()
  await createPartitions(sql, table, NOON, 2)

  await createPartitions(sql, table, NOON, 12, 7)
  await createPartitions(sql, table, NOON, 12, 7)

  assert.deepEqual(await partitions(), ['default', 'p20261115', 'p20261116', 'p20261117', 'p20261119', 'p20261126'])
  assert.equal(await findPartition(await insert(days(10))), `${table}_p20261119`)
})

test('a partition of several days is dropped when its last day is before the limit', async () => {
  const { sql, table, partitions } = await startTable()
  await createPartitions(sql, table, days(4), 9, 7)

  await dropPartitions(sql, table, days(10))
  const kept = await partitions()
  await dropPartitions(sql, table, days(11))

  assert.deepEqual(kept, ['default', 'p20261119', 'p20261126'])
  assert.deepEqual(await partitions(), ['default', 'p20261126'])
})

test('a longer retention has larger partitions, so that their number is bounded', () => {
  for (const days of [1, 30, 90, 365, 3650]) assert.ok(days / toPartitionDays(days) <= 56)
  assert.equal(toPartitionDays(35), 1)
})

// pg_dump holds such a lock for hours. The statements of the hub must not wait behind a lock that waits for it.
test('while a backup holds its locks, maintenance gives up, and rows are inserted and read', async (t) => {
  const { sql, table, insert, findPartition, partitions } = await startTable()
  await createPartitions(sql, table, NOON, 2)
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const backup = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access share mode`
    isHeld.resolve()
    await held.promise
  })
  t.after(() => held.resolve())
  await isHeld.promise

  const maintained = Promise.allSettled([dropPartitions(sql, table, days(1)), createPartitions(sql, table, NOON, 3)])
  const inserted = []
  let isOver = false
  void maintained.then(() => (isOver = true))
  while (!isOver) inserted.push(await insert(NOON))
  const [dropped, created] = await maintained
  held.resolve()
  await backup

  assert.equal(dropped.status === 'rejected' && readSqlState(dropped.reason), '55P03')
  assert.equal(created.status === 'rejected' && readSqlState(created.reason), '55P03')
  assert.ok(inserted.length > 10, `${inserted.length} rows were inserted meanwhile`)
  assert.equal(await findPartition(inserted[0] ?? ''), `${table}_p20261115`)
  await dropPartitions(sql, table, days(1))
  assert.deepEqual(await partitions(), ['default', 'p20261116'])
})

test('drops the days before the limit, and keeps the day of the limit and later ones', async () => {
  const { sql, table, insert, findPartition, partitions } = await startTable()
  await createPartitions(sql, table, NOON, 4)
  const ids = await Promise.all([0, 1, 2, 3].map((day) => insert(days(day))))

  await dropPartitions(sql, table, days(2))

  assert.deepEqual(await partitions(), ['default', 'p20261117', 'p20261118'])
  assert.deepEqual(await Promise.all(ids.map(findPartition)), [
    undefined,
    undefined,
    `${table}_p20261117`,
    `${table}_p20261118`,
  ])
})

test('deletes only rows before the limit from the default partition', async () => {
  const { sql, table, insert, findPartition } = await startTable()
  const old = await insert(new Date('2026-11-14T23:59:59.999Z'))
  const kept = await insert(new Date('2026-11-15T00:00:00.000Z'))

  await dropPartitions(sql, table, NOON)

  assert.equal(await findPartition(old), undefined)
  assert.equal(await findPartition(kept), `${table}_default`)
})

test('keeps the partitions of another table whose name starts with the same text', async () => {
  const { sql, table } = await startTable()
  const longer = `${table}_parts`
  await sql.unsafe(`create table ${longer} (id uuid primary key) partition by range (id)`)
  await sql.unsafe(`create table ${longer}_default partition of ${longer} default`)
  await createPartitions(sql, table, NOON, 1)
  await createPartitions(sql, longer, NOON, 1)

  await dropPartitions(sql, table, days(5))

  assert.deepEqual(await partitionsOf(sql, longer), ['default', 'p20261115'])
  assert.deepEqual(await partitionsOf(sql, table), ['default'])
})

test('creating and dropping again changes nothing', async () => {
  const { sql, table, insert, findPartition, partitions } = await startTable()
  await createPartitions(sql, table, NOON, 3)
  const id = await insert(NOON)

  await createPartitions(sql, table, NOON, 3)
  await dropPartitions(sql, table, NOON)
  await dropPartitions(sql, table, NOON)

  assert.deepEqual(await partitions(), ['default', 'p20261115', 'p20261116', 'p20261117'])
  assert.equal(await findPartition(id), `${table}_p20261115`)
})

test('several processes can create and drop partitions at once while rows are inserted', async () => {
  const { sql, table, insert, findPartition, partitions } = await startTable()
  await createPartitions(sql, table, days(-5), 3)

  const rounds = Array.from({ length: 6 }, async () => {
    await createPartitions(sql, table, NOON, 7)
    await dropPartitions(sql, table, days(-1))
  })
  const arriving = Array.from({ length: 40 }, () => insert(NOON))
  await Promise.all(rounds)
  const ids = await Promise.all(arriving)

  const left = await partitions()
  assert.ok(left.every((name) => name === 'default' || name >= 'p20261114'))
  assert.ok((await Promise.all(ids.map(findPartition))).every((place) => place !== undefined))
})

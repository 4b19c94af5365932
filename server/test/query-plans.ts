import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openPool, type Pool, type Tx } from '../src/kernel/db/pool.ts'
import { testDatabase } from './database.ts'

/** The part of a plan that `explain (analyze, format json)` prints and that tests read. */
export type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'TID Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

export type Statement = { text: string; values: unknown[] }

/** A pool for a hub under test that keeps the statements it sends. */
export async function openRecordingPool(t: TestContext): Promise<{ sql: Pool; statements: Statement[] }> {
  const { target } = await testDatabase()
  const statements: Statement[] = []
  const sql = openPool(target, {
    max: 4,
    name: 'hub with statements',
    onStatement: (text, values) => void statements.push({ text, values }),
  })
  t.after(() => sql.end({ timeout: 5 }))
  return { sql, statements }
}

/**
 * Runs a statement again with its plan, and undoes what it changed. The statement is prepared as the driver does it: the
 * plan of the text with its parameters knows their values, and is another one. What `changeTables` does comes after the
 * statement has its plan, as on a connection that prepared it when the tables were smaller.
 */
export async function explainStatement(
  sql: Pool,
  { text, values }: Statement,
  changeTables?: (tx: Tx) => Promise<void>,
): Promise<Plan> {
  const name = `explained_${randomBytes(8).toString('hex')}`
  const literals = values.length > 0 ? `(${values.map(toLiteral).join(', ')})` : ''
  let plan: Plan | undefined
  const undone = new Error('rolled back')
  await sql
    .begin(async (tx) => {
      await tx.unsafe(`prepare ${name} as ${text}`)
      if (changeTables) {
        await tx.unsafe(`explain execute ${name} ${literals}`)
        await changeTables(tx)
      }
      const [row] = await tx.unsafe(`explain (analyze, format json) execute ${name} ${literals}`)
      await tx.unsafe(`deallocate ${name}`)
      plan = row?.['QUERY PLAN'][0].Plan
      throw undone
    })
    .catch((err) => {
      if (err !== undone) throw err
    })
  if (!plan) throw new Error('The statement has no plan')
  return plan
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return `'${toText(value).replaceAll("'", "''")}'`
}

function toText(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map((element) => JSON.stringify(toText(element))).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function listNodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)]
}

/** The rows that the scans of a statement read, with those that they filtered out. */
export function countRowsRead(plan: Plan): number {
  const scans = listNodes(plan).filter((node) => node['Relation Name'] && node['Node Type'] !== 'ModifyTable')
  return scans.reduce((sum, node) => {
    const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    return sum + (node['Actual Rows'] + dropped) * node['Actual Loops']
  }, 0)
}

/** The blocks that a statement reads, with those of indexes: a search for each value of a leading column reads many and no row. */
export function countBlocksRead(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/**
 * Runs a statement that calls a function again, and undoes what it changed. Returns the rows that it reads of each table. The
 * function has its plans from before `fillTables`, as on a connection that called it when the tables were smaller. `prepare`
 * gives it something to do.
 */
export async function countRowsOfFunction(
  sql: Pool,
  { text, values }: Statement,
  { prepare, fillTables }: Record<'prepare' | 'fillTables', (tx: Tx) => Promise<unknown>>,
): Promise<{ rows: Record<string, number>; blocks: number }> {
  const name = `called_${randomBytes(8).toString('hex')}`
  const literals = `(${values.map(toLiteral).join(', ')})`
  let counted: { rows: Record<string, number>; blocks: number } | undefined
  const undone = new Error('rolled back')
  await sql
    .begin(async (tx) => {
      await tx.unsafe(`prepare ${name} as ${text}`)
      await prepare(tx)
      await tx.unsafe('savepoint before')
      await tx.unsafe(`execute ${name} ${literals}`)
      await tx.unsafe('rollback to savepoint before')
      await fillTables(tx)
      const explain = `explain (analyze, buffers, format json) execute ${name} ${literals}`
      // Other sessions may have emptied the caches of the catalog, whose blocks count too: this fills them.
      await tx.unsafe('savepoint filled')
      await tx.unsafe(explain)
      await tx.unsafe('rollback to savepoint filled')
      const before = await readRowCounts(tx)
      const [row] = await tx.unsafe(explain)
      const after = await readRowCounts(tx)
      await tx.unsafe(`deallocate ${name}`)
      const read = [...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)] as const)
      counted = {
        rows: Object.fromEntries(read.filter(([, count]) => count > 0)),
        blocks: countBlocksRead(row?.['QUERY PLAN'][0].Plan),
      }
      throw undone
    })
    .catch((err) => {
      if (err !== undone) throw err
    })
  if (!counted) throw new Error('The statement was not run')
  return counted
}

/** The rows that this session has read of each table, and the entries of each index. */
async function readRowCounts(tx: Tx): Promise<Map<string, number>> {
  const counts = await tx<{ name: string; count: number }[]>`
    select c.relname as name, pg_stat_get_xact_tuples_returned(c.oid)::int as count
    from pg_class c
    where c.relkind in ('r', 'i')
      and c.relnamespace = 'public'::regnamespace`
  return new Map(counts.map(({ name, count }) => [name, count]))
}

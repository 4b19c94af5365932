import type { Pool } from '../../server/src/kernel/db/pool.ts'
import type { Figure, Remark } from '../benchmark.ts'

/** The blocks of each statement for one run of a step, by the step and the statement's `queryid`. */
export type Blocks = Map<string, Map<string, Statement>>
type Statement = { text: string; blocks: number }

/** In a statement that reads fewer blocks, one more level of an index counts too much. */
const BLOCKS_MIN = 10
/** The step whose statements every request has: they are measured there only. */
export const COMMON = 'request'
const GOAL = { atMost: 1.5 }
/** Only the beginning of a statement is printed. */
const TEXT_LENGTH = 80

export async function resetStatistics(sql: Pool): Promise<void> {
  await sql`select pg_stat_statements_reset()`
}

/**
 * Adds what the statements since the last reset have read, whether from the disk or from memory. The text of a statement
 * has its constants only in some runs, its `queryid` in none.
 */
export async function readStatistics(sql: Pool, step: { name: string; times: number }, blocks: Blocks): Promise<void> {
  const statements = await sql<{ id: string; query: string; blocks: number }[]>`
    select queryid::text as id, min(query) as query, sum(shared_blks_hit + shared_blks_read)::float8 as blocks
    from pg_stat_statements
    where query !~ 'pg_stat_statements'
    group by queryid`
  const common = blocks.get(COMMON)
  const read = statements
    .filter(({ id, blocks: count }) => count > 0 && !common?.has(id))
    .map(({ id, query, blocks: count }) => [id, { text: toLine(query), blocks: count / step.times }] as const)
  blocks.set(step.name, new Map(read))
}

function toLine(query: string): string {
  return query.replace(/\s+/g, ' ').trim()
}

/** A figure for each statement, of the step in which it grew most. The largest growth comes first. */
export function compareSizes(small: Blocks, large: Blocks): Figure[] {
  const figures = new Map<string, Figure>()
  for (const [step, statements] of large) {
    for (const [id, { text, blocks: measured }] of statements) {
      const baseline = small.get(step)?.get(id)?.blocks
      if (baseline === undefined || measured < BLOCKS_MIN) continue
      const figure = { what: `${step}: ${text.slice(0, TEXT_LENGTH)}`, measured, baseline, goal: GOAL }
      if (toRatio(figure) > toRatio(figures.get(id))) figures.set(id, figure)
    }
  }
  return [...figures.values()].sort((a, b) => toRatio(b) - toRatio(a))
}

function toRatio(figure: Figure | undefined): number {
  return figure ? figure.measured / figure.baseline : 0
}

/** Lists statements that only the larger size has: a statement that cannot be compared must not be missed. */
export function listUncompared(small: Blocks, large: Blocks): Remark[] {
  return [...large].flatMap(([step, statements]) =>
    [...statements]
      .filter(([id, { blocks }]) => blocks >= BLOCKS_MIN && !small.get(step)?.has(id))
      .map(([, { text, blocks }]) => ({
        remark: `only at the larger size, ${blocks} blocks: ${step}: ${text.slice(0, TEXT_LENGTH)}`,
      })),
  )
}

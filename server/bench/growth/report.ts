import type { Pool } from '../../src/kernel/db/pool.ts'
import type { Figure } from '../benchmark.ts'

/** The blocks of each statement for one run of a step, by the step and the text of the statement. */
export type Blocks = Map<string, Map<string, number>>

/** In a statement that reads fewer blocks, one more level of an index counts too much. */
const BLOCKS_MIN = 10
/** The step whose statements every request has: they are measured there only. */
export const COMMON = 'request'
/** Only the beginning of a statement is printed. */
const TEXT_LENGTH = 80

export async function resetStatistics(sql: Pool): Promise<void> {
  await sql`select pg_stat_statements_reset()`
}

/** Adds what the statements since the last reset have read, whether from the disk or from memory. */
export async function readStatistics(sql: Pool, step: { name: string; times: number }, blocks: Blocks): Promise<void> {
  const statements = await sql<{ query: string; blocks: number }[]>`
    select query, sum(shared_blks_hit + shared_blks_read)::float8 as blocks
    from pg_stat_statements
    where query !~ 'pg_stat_statements'
    group by query`
  const common = blocks.get(COMMON)
  const read = statements
    .map((statement) => [toLine(statement.query), statement.blocks / step.times] as const)
    .filter(([text, count]) => count > 0 && !common?.has(text))
  blocks.set(step.name, new Map(read))
}

function toLine(query: string): string {
  return query.replace(/\s+/g, ' ').trim()
}

/** A figure for each statement, of the step in which it grew most. The largest growth comes first. */
export function compareSizes(small: Blocks, large: Blocks): Figure[] {
  const figures = new Map<string, Figure>()
  for (const [step, statements] of large) {
    for (const [text, measured] of statements) {
      const baseline = small.get(step)?.get(text)
      if (baseline === undefined || measured < BLOCKS_MIN) continue
      const figure = { what: `${step}: ${text.slice(0, TEXT_LENGTH)}`, measured, baseline }
      if (toRatio(figure) > toRatio(figures.get(text))) figures.set(text, figure)
    }
  }
  return [...figures.values()].sort((a, b) => toRatio(b) - toRatio(a))
}

function toRatio(figure: Figure | undefined): number {
  return figure ? figure.measured / figure.baseline : 0
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import type { Figure, Goal, Reading, Result } from '../benchmark.ts'
import { formatGoal, formatSubject, formatValue } from '../format-result.ts'
import { buildChart } from './chart.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/benchmark-figures.md')
const IMAGES = join(import.meta.dirname, '../../docs/images')
const BEGIN = '<!-- figures: written by `npm run bench -- --report` -->'
const END = '<!-- end of figures -->'

export type MeasuredBenchmark = { name: string; results: Result[] }

/** Replaces the figures of docs/benchmark-figures.md and the charts by those of this run. */
export async function writeReport(benchmarks: MeasuredBenchmark[], machine: string): Promise<void> {
  const date = new Date().toISOString().slice(0, 10)
  await mkdir(IMAGES, { recursive: true })
  const sections: string[] = [`Measured on ${date}: ${machine}.`]
  for (const { name, results } of benchmarks) {
    const file = `benchmark-${name}.svg`
    const measured = results.filter(hasGoal)
    if (measured.length > 0) await writeFile(join(IMAGES, file), buildChart(measured, `The goals of ${name}`))
    const chart = measured.length > 0 ? `\n![The goals of ${name}](images/${file})\n` : ''
    sections.push(`### ${name}\n${chart}\n${buildTable(results)}`)
  }
  const text = await readFile(DOCUMENT, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${DOCUMENT} has no place for the figures`)
  await writeFile(DOCUMENT, `${before}${BEGIN}\n\n${sections.join('\n\n')}\n\n${END}${after}`)
}

function hasGoal(result: Result): result is (Figure | Reading) & { goal: Goal } {
  return 'goal' in result && result.goal !== undefined
}

function buildTable(results: Result[]): string {
  const rows = results
    .filter((result): result is Figure | Reading => !('remark' in result))
    .map((result) => `| ${formatValue(result)} | ${formatSubject(result)} | ${formatGoal(result)} |`)
  return ['| Figure | Of what | Goal |', '|---|---|---|', ...rows].join('\n')
}

/** The machine and the versions that figures come from, in one line. */
export async function describeMachine(sql: Pool): Promise<string> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  const cores = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const model = cores[0]?.model.trim() ?? process.arch
  return `${cores.length} cores (${model}), ${memory}, Node.js ${process.versions.node}, PostgreSQL ${row?.version}`
}

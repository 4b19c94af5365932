import type { Verdict } from './checker.ts'

const SHOWN_MAX = 20

/** Prints what the checker found, and returns the exit code: 1 where a promise is broken, 2 where the end was late. */
export function report({ directory, findings, counts }: Verdict & { directory: string }): number {
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  )
  for (const verdict of ['lost', 'late', 'inconclusive'] as const) {
    const found = findings.filter((finding) => finding.verdict === verdict)
    console.log(`${verdict}: ${found.length}`)
    for (const [rule, list] of Map.groupBy(found, (finding) => finding.rule)) {
      console.log(`  ${rule}: ${list.length}`)
      for (const { detail } of list.slice(0, SHOWN_MAX)) console.log(`    ${detail}`)
    }
  }
  if (findings.length > 0) console.log(`History: ${directory}\nAgain: npm run torture -- --check ${directory}`)
  const isBroken = findings.some(({ verdict }) => verdict === 'lost')
  return isBroken ? 1 : findings.length > 0 ? 2 : 0
}

type Described = { seed: number; seconds: number; from?: string | undefined; verdict?: Verdict | undefined }

/** A row of the table of runs in docs/reliability.md. Without a verdict the run could not be made to its end. */
export function describeRun({ seed, seconds, from, verdict }: Described): string {
  const { counts = {}, findings = [] } = verdict ?? {}
  const rules = Map.groupBy(findings, (finding) => `${finding.verdict}: ${finding.rule}`)
  const found = [...rules].map(([rule, list]) => `${rule} (${list.length})`).join(', ')
  const figures = ['calls', 'keys', 'arrivals'].map((name) => counts[name]?.toLocaleString('en-US') ?? '')
  const length = seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
  const result = verdict ? found || 'nothing found' : 'failed'
  const cells = [
    new Date().toISOString().slice(0, 10),
    `${seed}${from ? ` from ${from}` : ''}`,
    length,
    ...figures,
    result,
  ]
  return `| ${cells.join(' | ')} |`
}

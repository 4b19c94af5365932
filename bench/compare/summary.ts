import { median, quantile } from '../deliver/statistics.ts'

/** The cost of an operation in one round. CPU time is in microseconds. */
export type Sample = {
  cpu: number
  hubCpu: number
  databaseCpu: number
  perSecond: number
  statements: number
  walBytes: number
}

/** The samples of one figure in the order of their rounds: of the working tree, and of the commit that it is compared with. */
export type Samples = { what: string; measured: Sample[]; baseline: Sample[] }

/** `selfRatio` and `spread` say how much the commit differs from itself: a ratio within them is noise. */
export type Comparison = {
  measured: number
  baseline: number
  /** The median of the ratios of the rounds: what slows a round slows both. */
  ratio: number
  /** The median of the odd rounds, divided by that of the even ones. With one round there is none. */
  selfRatio: number | null
  /** The interquartile range of the rounds, divided by their median. */
  spread: number
}

const QUANTITIES: Record<keyof Sample, string> = {
  cpu: 'CPU µs',
  hubCpu: 'CPU µs in the hub',
  databaseCpu: 'CPU µs in the database',
  perSecond: 'a second',
  statements: 'SQL statements',
  walBytes: 'bytes of WAL',
}
const WIDTHS = [38, 13, 13, 8, 13, 8]

export function compareValues(measured: readonly number[], baseline: readonly number[]): Comparison {
  const middle = median(baseline)
  const even = baseline.filter((_, i) => i % 2 === 1)
  return {
    measured: median(measured),
    baseline: middle,
    ratio: median(baseline.map((value, round) => (measured[round] ?? Number.NaN) / value)),
    selfRatio: even.length === 0 ? null : median(baseline.filter((_, i) => i % 2 === 0)) / median(even),
    spread: (quantile(baseline, 0.75) - quantile(baseline, 0.25)) / middle,
  }
}

export function compareSamples({ measured, baseline }: Samples): Record<keyof Sample, Comparison> {
  const compare = (quantity: keyof Sample) =>
    compareValues(
      measured.map((sample) => sample[quantity]),
      baseline.map((sample) => sample[quantity]),
    )
  return {
    cpu: compare('cpu'),
    hubCpu: compare('hubCpu'),
    databaseCpu: compare('databaseCpu'),
    perSecond: compare('perSecond'),
    statements: compare('statements'),
    walBytes: compare('walBytes'),
  }
}

/** A table for people, one line for each quantity of an operation. */
export function formatComparison(all: Samples[], ref: string): string[] {
  const lines = [formatLine(['', 'working tree', ref.slice(0, 12), 'ratio', 'against self', 'spread'])]
  for (const samples of all) {
    lines.push(samples.what)
    const compared = compareSamples(samples)
    for (const [quantity, label] of Object.entries(QUANTITIES) as [keyof Sample, string][]) {
      const { measured, baseline, ratio, selfRatio, spread } = compared[quantity]
      const self = selfRatio === null ? '-' : selfRatio.toFixed(3)
      const cells = [shorten(measured), shorten(baseline), ratio.toFixed(3), self, `${(spread * 100).toFixed(1)} %`]
      lines.push(formatLine([`  ${label}`, ...cells]))
    }
  }
  return lines
}

/** The same in one line of JSON. */
export function toJson(all: Samples[], { ref, rounds }: { ref: string; rounds: number }): string {
  const figures = Object.fromEntries(all.map((samples) => [samples.what, compareSamples(samples)]))
  return JSON.stringify({ with: ref, rounds, figures })
}

function formatLine(cells: string[]): string {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0)))
    .join('')
    .trimEnd()
}

function shorten(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3)
}

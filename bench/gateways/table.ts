import type { Result } from '../benchmark.ts'
import { median, pickMedianRound } from '../deliver/statistics.ts'

/** A figure of one round. Ratios are taken of its `value`; a figure without one is text. */
export type Figure = { value: number; text: string } | { text: string }

/** The figures of one gateway, by their titles, one for each round. */
export type Column = { name: string; figures: Map<string, Figure[]> }

/** Each figure is that of the median round. The ratios are of rounds that ran one after the other. */
export function buildTable(columns: Column[]): Result[] {
  const [hub, ...others] = columns
  if (!hub) return []
  const lines = [
    ['', ...columns.map(({ name }) => name), ...others.map(({ name }) => `of ${name}`)],
    ['', ...columns, ...others].map(() => '---'),
    ...[...hub.figures.keys()].map((title) => [
      title,
      ...columns.map(({ figures }) => pickText(figures.get(title) ?? [])),
      ...others.map((other) => formatRatios(readRatios(hub, other, title))),
    ]),
  ]
  return lines.map((cells) => ({ remark: `| ${cells.join(' | ')} |` }))
}

/** The values of the round with the median ratio; undefined if one of both has none. */
export function pickValues(hub: Column, other: Column, title: string) {
  const rounds = pair(hub, other, title)
  return rounds.length === 0 ? undefined : pickMedianRound(rounds, toRatio)
}

type Pair = { measured: number; baseline: number }
const toRatio = ({ measured, baseline }: Pair) => measured / baseline
const readValue = (figure: Figure | undefined) => (figure && 'value' in figure ? figure.value : Number.NaN)

function pair(hub: Column, other: Column, title: string): Pair[] {
  const others = other.figures.get(title) ?? []
  return (hub.figures.get(title) ?? [])
    .map((figure, i) => ({ measured: readValue(figure), baseline: readValue(others[i]) }))
    .filter((one) => Number.isFinite(toRatio(one)))
}

const readRatios = (hub: Column, other: Column, title: string) => pair(hub, other, title).map(toRatio)

function formatRatios(ratios: number[]): string {
  if (ratios.length === 0) return ''
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  return median(ratios).toFixed(2) + (ratios.length === 1 ? '' : ` (${spread})`)
}

function pickText(figures: Figure[]): string {
  return figures.length === 0 ? '' : pickMedianRound(figures, readValue).text
}

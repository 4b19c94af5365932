import type { Figure, Goal, Reading } from '../benchmark.ts'
import { formatValue, isReached, readValue } from '../format-result.ts'

const ROW_HEIGHT = 26
const LABEL_WIDTH = 470
const BAR_WIDTH = 300
const VALUE_WIDTH = 150
const TOP = 34
/** A bar ends here at the latest: at this many times its goal. */
const SCALE_MAX = 3

type Measured = (Figure | Reading) & { goal: Goal }

/**
 * A bar for each result with a goal. Its length is the share of the goal that is reached, so that the line is the goal
 * and a longer bar is better, whether the goal is a least or a greatest value.
 */
export function buildChart(results: Measured[], title: string): string {
  const width = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH
  const height = TOP + results.length * ROW_HEIGHT + 10
  const goalX = LABEL_WIDTH + BAR_WIDTH / SCALE_MAX
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    '<style>text{fill:#24292f}.reached{fill:#1a7f37}.missed{fill:#bf8700}line{stroke:#57606a}',
    '@media (prefers-color-scheme:dark){text{fill:#e6edf3}.reached{fill:#3fb950}.missed{fill:#d29922}line{stroke:#8b949e}}</style>',
    `<text x="${goalX}" y="16" text-anchor="middle">goal</text>`,
    ...results.map((result, row) => buildRow(result, TOP + row * ROW_HEIGHT)),
    `<line x1="${goalX}" x2="${goalX}" y1="22" y2="${height - 6}" stroke-dasharray="3 3"/>`,
    '</svg>',
    '',
  ].join('\n')
}

function buildRow(result: Measured, y: number): string {
  const { goal, what } = result
  const value = readValue(result)
  const share = 'atLeast' in goal ? value / goal.atLeast : goal.atMost / value
  const length = (Math.min(share, SCALE_MAX) / SCALE_MAX) * BAR_WIDTH
  const style = isReached(value, goal) ? 'reached' : 'missed'
  return [
    `<text x="${LABEL_WIDTH - 8}" y="${y + 13}" text-anchor="end">${escapeXml(what)}</text>`,
    `<rect class="${style}" x="${LABEL_WIDTH}" y="${y + 2}" width="${length.toFixed(1)}" height="16" rx="2"/>`,
    `<text x="${LABEL_WIDTH + BAR_WIDTH + 8}" y="${y + 13}">${escapeXml(formatValue(result))}</text>`,
  ].join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

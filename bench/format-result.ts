import type { Figure, Goal, Reading, Result } from './benchmark.ts'

/** Significant digits of a printed figure. */
const SIGNIFICANT = 3

export function formatResult(result: Result): string {
  if ('remark' in result) return `  ${result.remark}`
  return `  ${formatValue(result)}  ${formatSubject(result)}${result.goal ? `; goal ${formatGoal(result)}` : ''}`
}

/** The ratio, or the value with its unit. */
export function formatValue(result: Figure | Reading): string {
  return 'value' in result ? `${shown(result.value)} ${result.unit}` : readValue(result).toFixed(2)
}

export function formatSubject(result: Figure | Reading): string {
  if ('value' in result) return result.what
  return `${result.what} (${shown(result.measured)} of ${shown(result.baseline)})`
}

/** The goal and whether it is reached; empty without one. */
export function formatGoal(result: Figure | Reading): string {
  const { goal } = result
  if (!goal) return ''
  const text = 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
  return `${text}: ${isReached(readValue(result), goal) ? 'reached' : 'missed'}`
}

export function readValue(result: Figure | Reading): number {
  return 'value' in result ? result.value : result.measured / result.baseline
}

/** A figure that is printed as its goal has reached it: jobs that run beside the work add a few thousandths to some counts. */
export function isReached(value: number, goal: Goal): boolean {
  const printed = Number(value.toPrecision(SIGNIFICANT))
  return 'atLeast' in goal ? printed >= goal.atLeast : printed <= goal.atMost
}

function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(SIGNIFICANT)))
}

import type { Result } from './benchmark.ts'

/** Significant digits of a printed figure. */
const SIGNIFICANT = 3

export function formatResult(result: Result): string {
  if ('remark' in result) return `  ${result.remark}`
  if ('value' in result) return `  ${shown(result.value)} ${result.unit}  ${result.what}`
  const { what, measured, baseline } = result
  return `  ${(measured / baseline).toFixed(2)}  ${what} (${shown(measured)} of ${shown(baseline)})`
}

function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(SIGNIFICANT)))
}

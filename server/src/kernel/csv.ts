/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA = /^(?:[\t\r]|[" ]*[=+\-@])/
/** Some split lines at semicolons or tabs instead of commas: there a cell also begins after one, or after a line break. */
const FURTHER_FORMULA = /([;\t\r\n])(?=[" ]*[=+\-@])/g

/** One line of RFC 4180. What a spreadsheet would run has a quote before it, and stays text. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = `${FORMULA.test(text) ? "'" : ''}${text.replace(FURTHER_FORMULA, "$1'")}`
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe
}

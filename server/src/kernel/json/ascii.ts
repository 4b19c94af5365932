/**
 * Writes JSON in ASCII, as the upstream does: receivers that escape the body
 * again before they hash it still get the bytes that were signed.
 */
export function stringifyAscii(value: unknown): string {
  const text = JSON.stringify(value)
  return /[\u007f-\uffff]/.test(text) ? text.replace(/[\u007f-\uffff]/g, escapeUnit) : text
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

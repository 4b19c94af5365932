/**
 * JSON in ASCII alone, as the upstream writes it: receivers that escape a body
 * again before they hash it then see the bytes that were signed.
 */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value)
  return /[\u007f-\uffff]/.test(text) ? text.replace(/[\u007f-\uffff]/g, escaped) : text
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

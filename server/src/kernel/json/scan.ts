const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b]
const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39]
const [EXPONENT, EXPONENT_LOWER] = [0x45, 0x65]

/** A number beyond 2^53 has at least this many digits, or an exponent. */
const LARGE_NUMBER_LENGTH = 16

/**
 * Counts the keys of a valid JSON document, duplicates included, and finds the first number that would be rounded. One
 * pass over the bytes: for a large body of small values, an expression or a reviver takes tens of times as long.
 */
export function scanJson(bytes: Buffer): { keys: number; rounded: string | undefined } {
  let keys = 0
  let rounded: string | undefined
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    // Outside of texts, each key has the only colon.
    if (byte === COLON) keys++
    else if (byte === QUOTE) i = findTextEnd(bytes, i)
    else if (byte === MINUS || isDigit(byte)) {
      const end = findNumberEnd(bytes, i)
      if (rounded === undefined && mayBeLarge(bytes, i, end)) rounded = readRounded(bytes, i, end)
      i = end - 1
    }
  }
  return { keys, rounded }
}

/** Counts the values of a document, valid or not, by what separates and encloses them. */
export function countValues(bytes: Buffer): number {
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) i = findTextEnd(bytes, i)
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++
  }
  return values
}

function findTextEnd(bytes: Buffer, start: number): number {
  let i = start + 1
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1
  return i
}

function findNumberEnd(bytes: Buffer, start: number): number {
  let i = start + 1
  while (i < bytes.length && isNumberByte(bytes[i] as number)) i++
  return i
}

function mayBeLarge(bytes: Buffer, start: number, end: number): boolean {
  if (end - start >= LARGE_NUMBER_LENGTH) return true
  for (let i = start; i < end; i++) if (isExponent(bytes[i] as number)) return true
  return false
}

/** Fractions may be rounded. A number beyond 2^53 is an id or a count, which rounding would change into another. */
function readRounded(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('latin1', start, end)
  return Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER ? text : undefined
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function isExponent(byte: number): boolean {
  return byte === EXPONENT || byte === EXPONENT_LOWER
}

function isNumberByte(byte: number): boolean {
  return isDigit(byte) || byte === POINT || byte === PLUS || byte === MINUS || isExponent(byte)
}

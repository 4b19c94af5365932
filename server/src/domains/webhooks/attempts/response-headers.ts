import type { IncomingHttpHeaders } from 'node:http'

/** The parser limits the bytes of all headers to 16 KiB, which would still hold thousands of empty ones. */
const HEADER_LINES_MAX = 64

/** Returns the headers as received, or the first lines of them where there are too many to store. */
export function limitHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return countLines(headers) <= HEADER_LINES_MAX ? headers : takeFirstLines(headers)
}

function countLines(headers: IncomingHttpHeaders): number {
  let lines = 0
  for (const name of Object.keys(headers)) lines += countValues(headers[name])
  return lines
}

function countValues(value: string | string[] | undefined): number {
  return Array.isArray(value) ? value.length : 1
}

function takeFirstLines(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  // Without a prototype, because a receiver may send a header named `__proto__`.
  const limited: IncomingHttpHeaders = Object.create(null)
  let remaining = HEADER_LINES_MAX
  for (const [name, value] of Object.entries(headers)) {
    if (remaining === 0) break
    limited[name] = Array.isArray(value) ? value.slice(0, remaining) : value
    remaining -= Math.min(countValues(value), remaining)
  }
  return limited
}

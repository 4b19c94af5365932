import type { IncomingHttpHeaders } from 'node:http'

/** More than any honest receiver sends. The parser bounds their bytes; thousands of empty ones would still fit. */
const LINES_MAX = 64

/** The headers as they came, or as many lines of them as are worth keeping. */
export function boundHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return countLines(headers) <= LINES_MAX ? headers : firstLines(headers)
}

function countLines(headers: IncomingHttpHeaders): number {
  let lines = 0
  for (const name of Object.keys(headers)) lines += linesOf(headers[name])
  return lines
}

function linesOf(value: string | string[] | undefined): number {
  return Array.isArray(value) ? value.length : 1
}

function firstLines(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = Object.create(null)
  let left = LINES_MAX
  for (const [name, value] of Object.entries(headers)) {
    if (left === 0) break
    kept[name] = Array.isArray(value) ? value.slice(0, left) : value
    left -= Math.min(linesOf(value), left)
  }
  return kept
}

/** From `first` to `last` or to the end, or the last `suffix` bytes. */
export type ByteRange = { first: number; last: number | null } | { suffix: number }

/** The position of a range in a file. `start` and `end` are inclusive. */
export type ContentRange = { start: number; end: number; total: number }

/** Parses a `Range` header with one range. Another unit, another form or several ranges are ignored. */
export function parseRange(header: string | undefined): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '') return last === '' ? undefined : { suffix: Number(last) }
  if (last !== '' && Number(last) < Number(first)) return undefined
  return { first: Number(first), last: last === '' ? null : Number(last) }
}

export function formatRange(range: ByteRange): string {
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`
}

/** Undefined if a file of `total` bytes has no byte in the range. */
export function resolveRange(range: ByteRange, total: number): ContentRange | undefined {
  const start = 'suffix' in range ? Math.max(0, total - range.suffix) : range.first
  const end = 'suffix' in range || range.last === null ? total - 1 : Math.min(range.last, total - 1)
  return start <= end ? { start, end, total } : undefined
}

export function parseContentRange(header: string | undefined): ContentRange | undefined {
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(header ?? '') ?? []
  if (start === undefined) return undefined
  const contentRange = { start: Number(start), end: Number(end), total: Number(total) }
  return contentRange.start <= contentRange.end && contentRange.end < contentRange.total ? contentRange : undefined
}

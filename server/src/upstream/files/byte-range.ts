/** From a byte on, to another or to the end; or the last so many bytes. */
export type ByteRange = { first: number; last: number | null } | { final: number }

/** Where a range lies in a file. Both ends belong to it. */
export type BytePlace = { start: number; end: number; total: number }

/** The one range that a header asks for. What is in another unit or form, or several, is as good as none. */
export function parseRange(header: string | undefined): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '') return last === '' ? undefined : { final: Number(last) }
  if (last !== '' && Number(last) < Number(first)) return undefined
  return { first: Number(first), last: last === '' ? null : Number(last) }
}

export function rangeHeader(range: ByteRange): string {
  return 'final' in range ? `bytes=-${range.final}` : `bytes=${range.first}-${range.last ?? ''}`
}

/** Undefined when nothing of the range is in a file of this length. */
export function placeOf(range: ByteRange, total: number): BytePlace | undefined {
  const start = 'final' in range ? Math.max(0, total - range.final) : range.first
  const end = 'final' in range || range.last === null ? total - 1 : Math.min(range.last, total - 1)
  return start <= end ? { start, end, total } : undefined
}

export function parseContentRange(header: string | undefined): BytePlace | undefined {
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(header ?? '') ?? []
  if (start === undefined) return undefined
  const place = { start: Number(start), end: Number(end), total: Number(total) }
  return place.start <= place.end && place.end < place.total ? place : undefined
}

import type { Readable } from 'node:stream'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Download } from '../../upstream/files/downloads.ts'

/** What goes back: the upstream's JSON, or the bytes of a file. */
export type Answer = { status: 200 | 206; headers: Record<string, string>; body: string | Readable }

/**
 * A file of a stranger is data, and never a page of ours: no browser guesses
 * what it is, shows it in contentRange, runs it or keeps it.
 */
const FILE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'private, no-store',
  'Accept-Ranges': 'bytes',
}

export function jsonAnswer(body: string): Answer {
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body }
}

export function fileAnswer(download: Download): Answer {
  if (download.kind === 'missing') throw notFound('Resource')
  if (download.kind === 'unsatisfiable-range') {
    throw new AppError('RANGE_NOT_SATISFIABLE', 'The file has no bytes in this range.', {
      headers: { 'Content-Range': `bytes */${download.total ?? '*'}` },
    })
  }
  const { mimeType, bytes, contentRange, content } = download
  return {
    status: contentRange ? 206 : 200,
    headers: {
      ...FILE_HEADERS,
      'Content-Type': mimeType,
      ...(bytes !== null && { 'Content-Length': String(bytes) }),
      ...(contentRange && { 'Content-Range': `bytes ${contentRange.start}-${contentRange.end}/${contentRange.total}` }),
    },
    body: content,
  }
}

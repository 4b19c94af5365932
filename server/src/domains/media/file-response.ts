import type { Readable } from 'node:stream'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Download } from '../../upstream/files/downloads.ts'
import { buildFileName } from './file-name.ts'

/** The bytes of a file, all of them or a range. */
export type FileResponse = { status: 200 | 206; headers: Record<string, string>; body: Readable }

/** Files come from other people: no browser may guess their type, render, execute or cache them. */
const FILE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'private, no-store',
  'Accept-Ranges': 'bytes',
}

export function toFileResponse(mediaId: string, download: Download): FileResponse {
  if (download.kind === 'missing') throw notFound('resource_not_found')
  if (download.kind === 'unsatisfiable-range') {
    throw new AppError('RANGE_NOT_SATISFIABLE', 'range_not_satisfiable', {
      headers: { 'Content-Range': `bytes */${download.total ?? '*'}` },
    })
  }
  const { mimeType, bytes, contentRange, content } = download
  return {
    status: contentRange ? 206 : 200,
    headers: {
      ...FILE_HEADERS,
      'Content-Disposition': `attachment; filename=${buildFileName(mediaId, mimeType)}`,
      'Content-Type': mimeType,
      ...(bytes !== null && { 'Content-Length': String(bytes) }),
      ...(contentRange && {
        'Content-Range': `bytes ${contentRange.start}-${contentRange.end}/${contentRange.total}`,
      }),
    },
    body: content,
  }
}

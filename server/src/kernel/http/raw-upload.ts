import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { AppError, invalidRequest } from '../errors.ts'
import { onStall, STALL_MS } from './upload.ts'

/**
 * Reads a body as the bytes of one file, while they arrive. A client that stops sending fails the content, and so does one
 * that leaves before the end.
 */
export async function* readRawFile(request: IncomingMessage, stallMs: number = STALL_MS): AsyncGenerator<Buffer> {
  const content = new PassThrough()

  function fail(error: AppError): void {
    request.unpipe(content)
    content.destroy(error)
  }

  const endEarly = () => fail(invalidRequest('The body ended early.'))
  const leave = () => request.complete || endEarly()
  const stopStallTimer = onStall(request, stallMs, () => {
    fail(new AppError('REQUEST_TIMEOUT', 'The file stopped arriving.'))
  })
  request.once('close', leave)
  try {
    if (request.destroyed) endEarly()
    else request.pipe(content)
    yield* content
  } finally {
    stopStallTimer()
    request.off('close', leave)
    request.unpipe(content)
  }
}

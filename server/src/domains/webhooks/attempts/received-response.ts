import type { IncomingHttpHeaders } from 'node:http'
import { limitHeaders } from './response-headers.ts'

export const BODY_BYTES_KEPT = 4 * 1024
const BODY_BYTES_READ_MAX = 64 * 1024
const NO_BYTES = Buffer.alloc(0)

/** The kept part of a response: its status, its headers and the beginning of its body. */
export class ReceivedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  body = NO_BYTES
  #bodyBytesRead = 0

  constructor(status: number, headers: IncomingHttpHeaders) {
    this.status = status
    this.headers = limitHeaders(headers)
  }

  /** Returns false once the body is longer than an attempt reads. */
  addBody(chunk: Buffer): boolean {
    const missing = BODY_BYTES_KEPT - this.body.length
    // A copy, because a slice would keep the whole chunk in memory.
    if (missing > 0) this.body = Buffer.concat([this.body, chunk.subarray(0, missing)])
    this.#bodyBytesRead += chunk.length
    return this.#bodyBytesRead <= BODY_BYTES_READ_MAX
  }
}

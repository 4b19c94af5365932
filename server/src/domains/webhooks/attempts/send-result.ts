import type { IncomingHttpHeaders } from 'node:http'

/** The error codes of attempts that got no response. */
export const SEND_ERRORS = [
  'TIMEOUT',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'DNS_FAILED',
  'DESTINATION_NOT_ALLOWED',
] as const
export type ErrorCode = (typeof SEND_ERRORS)[number] | `HTTP_${number}`

/** The duration of each phase in whole milliseconds; null where an attempt skipped the phase or did not finish it. */
export type AttemptTimings = {
  /** Name resolution; close to 0 where the answer is cached or the URL has an address. */
  dnsMs: number | null
  /** TCP and TLS together; null on a kept-alive connection. */
  connectMs: number | null
  /** From sending the request to the first byte of a response. */
  firstByteMs: number | null
  totalMs: number
}

/** The result of one attempt. `httpStatus` is set once all headers of the response have arrived. */
export type SendResult = {
  ok: boolean
  httpStatus: number | null
  errorCode: ErrorCode | null
  retryAfterSeconds: number | null
  /** Empty where the attempt ended before its destination was checked. */
  requestHeaders: Record<string, string>
  responseHeaders: IncomingHttpHeaders
  /** The beginning of the body as received, compressed if the receiver compressed it. */
  responseBody: Buffer
  /** The address that was dialed last. */
  address: string | null
  timings: AttemptTimings
}

/** The progress of a connection. */
export type ConnectionStage = 'tcp' | 'tls' | 'open'

/** Errors of this process, not of the receiver: no descriptors, buffers or memory left, or a wrong call of undici. */
const OWN_ERRORS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

export function toStatusErrorCode(status: number): ErrorCode | null {
  return status >= 200 && status < 300 ? null : `HTTP_${status}`
}

/**
 * The code for an error before the headers of the response are complete; undefined for an error of this process. On an
 * open connection every error is the receiver's, also a failed assertion of undici: it read unexpected bytes. A TLS alert
 * may come after the handshake, because TLS 1.3 asks for a client certificate only then.
 */
export function toConnectionErrorCode(err: Error, stage: ConnectionStage): ErrorCode | undefined {
  const code = 'code' in err ? String(err.code) : undefined
  if (stage === 'tcp') return code === undefined || OWN_ERRORS.has(code) ? undefined : 'CONNECTION_FAILED'
  return stage === 'tls' || code?.startsWith('ERR_SSL_') ? 'TLS_FAILED' : 'CONNECTION_FAILED'
}

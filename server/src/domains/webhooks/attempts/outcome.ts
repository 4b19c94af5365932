import type { IncomingHttpHeaders } from 'node:http'
import type { DeliveryFormat } from './signature.ts'

/** What is to be delivered, and where to. */
export type Parcel = {
  url: string
  deliveryId: string
  body: Buffer
  secret: string
  deliveryFormat: DeliveryFormat
}

export type ErrorCode =
  | 'TIMEOUT'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'DNS_FAILED'
  | 'DESTINATION_NOT_ALLOWED'
  | `HTTP_${number}`

/** How long each part took, in whole milliseconds; null where there was no such part, or it did not end. */
export type Timings = {
  /** Name resolution; next to nothing where the answer is known or the URL has an address. */
  dnsMs: number | null
  /** TCP and TLS together; null on a kept connection. */
  connectMs: number | null
  /** From the request's leaving to the first byte of a response. */
  firstByteMs: number | null
  totalMs: number
}

/** How an attempt ended. `httpStatus` is there whenever the receiver's headers arrived in whole. */
export type Outcome = {
  ok: boolean
  httpStatus: number | null
  errorCode: ErrorCode | null
  retryAfterSeconds: number | null
  /** Empty where the attempt ended before there was anybody to send them to. */
  requestHeaders: Record<string, string>
  responseHeaders: IncomingHttpHeaders
  /** The beginning of the body as it came, compressed if the receiver compressed it. */
  responseBody: Buffer
  /** The address that was dialled, or tried last. */
  address: string | null
  timings: Timings
}

/** How far a connection has come. */
export type Stage = 'tcp' | 'tls' | 'open'

/**
 * What goes wrong before a connection stands and says nothing about the receiver: this process has no descriptors,
 * buffers or memory left, or called undici wrongly.
 */
const OWN_FAILURES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

export function errorOfStatus(status: number): ErrorCode | null {
  return status >= 200 && status < 300 ? null : `HTTP_${status}`
}

/**
 * What an error means before the response's headers are complete, or undefined where it is ours. Once the connection
 * stands it is the receiver's, even one of undici's own assertions: it then read what it did not expect. All that goes
 * wrong between TCP and TLS is TLS; an alert may also come later, as TLS 1.3 asks for a client's certificate only then.
 */
export function errorOfConnection(err: Error, stage: Stage): ErrorCode | undefined {
  const code = 'code' in err ? String(err.code) : undefined
  if (stage === 'tcp') return code === undefined || OWN_FAILURES.has(code) ? undefined : 'CONNECTION_FAILED'
  return stage === 'tls' || code?.startsWith('ERR_SSL_') ? 'TLS_FAILED' : 'CONNECTION_FAILED'
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../../kernel/clock.ts'
import type { CheckedDestination, Destinations } from '../../../kernel/net/destinations.ts'
import type { Connection } from './connection.ts'
import type { ConnectionPool, ConnectionUser } from './connection-pool.ts'
import { buildRequestHeaders, type DeliveryRequest } from './delivery-request.ts'
import { ReceivedResponse } from './received-response.ts'
import { parseRetryAfter } from './retry-after.ts'
import {
  type AttemptTimings,
  type ErrorCode,
  type SendResult,
  toConnectionErrorCode,
  toStatusErrorCode,
} from './send-result.ts'

const NO_BYTES = Buffer.alloc(0)
const NO_HEADERS = Object.freeze({})

export type AttemptSettings = {
  connections: ConnectionPool
  userAgent: string
  now: Clock
  /** From name resolution to the end of the response's headers. */
  deadlineMs: number
  /** For the body, after the headers. */
  bodyMs: number
}

/**
 * One attempt. It waits for the vetting of its destination, then for a connection, and then handles the events of the
 * HTTP client. Before the headers of the response are complete, an error decides the result; after that, the status
 * does, even if the body breaks off. A class, because thousands are created in a second.
 */
export class Attempt implements ConnectionUser, Dispatcher.DispatchHandler {
  readonly result: Promise<SendResult>
  isOver = false
  needsNewConnection = false

  readonly #request: DeliveryRequest
  readonly #settings: AttemptSettings
  readonly #settle = Promise.withResolvers<SendResult>()
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout
  #checked: CheckedDestination | undefined
  #connection: Connection | undefined
  #vettedAt: number | null = null
  #sentAt: number | null = null
  #requestHeaders: Record<string, string> = NO_HEADERS
  #response: ReceivedResponse | undefined

  constructor(request: DeliveryRequest, settings: AttemptSettings) {
    this.#request = request
    this.#settings = settings
    this.result = this.#settle.promise
    this.#timer = setTimeout(Attempt.#onTimeout, settings.deadlineMs, this)
  }

  static #onTimeout(attempt: Attempt): void {
    attempt.#cut()
  }

  onVetted(vetting: Awaited<ReturnType<Destinations['check']>>): void {
    if (this.isOver) return
    this.#vettedAt = performance.now()
    if (!vetting.ok) {
      this.#finish(vetting.code)
      return
    }
    const { connections, userAgent, now } = this.#settings
    this.#requestHeaders = buildRequestHeaders(this.#request, userAgent, now())
    connections.acquire(this, vetting)
  }

  useConnection(connection: Connection, checked: CheckedDestination): void {
    this.#checked = checked
    this.#connection = connection
    const path = checked.url.pathname + checked.url.search
    const { payload: body } = this.#request
    connection.client.dispatch({ method: 'POST', path, headers: this.#requestHeaders, body }, this)
  }

  onRequestStart(): void {
    this.#sentAt = performance.now()
    this.#connection?.expectResponse()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Interim responses were skipped, so this status is invalid, and undici reports an error next.
    if (status < 200) return
    this.#response = new ReceivedResponse(status, headers)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(Attempt.#onTimeout, this.#settings.bodyMs, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return
    if (this.#response?.addBody(chunk) === false) this.#cut()
  }

  onResponseEnd(): void {
    if (this.isOver) return
    this.#finish(this.#toErrorCode())
    const connection = this.#connection
    // undici closes a connection that cannot be reused right after this call.
    if (connection) queueMicrotask(() => this.#settings.connections.release(connection))
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, err: Error): void {
    if (this.isOver) return
    if (this.#response) this.#cut()
    else if (this.#isConnectionStale()) this.#resend()
    else this.#fail(err)
  }

  /** The receiver closed a kept-alive connection without a byte of a response, most likely before it read the request. */
  #isConnectionStale(): boolean {
    return this.#connection?.isReused === true && this.#connection.firstByteAt === null
  }

  /** Happens at most once, because the next connection is new. The deadline stays. */
  #resend(): void {
    this.#discardConnection()
    this.needsNewConnection = true
    if (this.#checked) this.#settings.connections.acquire(this, this.#checked)
  }

  #fail(err: Error): void {
    const connection = this.#connection
    const code = toConnectionErrorCode(connection?.error ?? err, connection?.stage ?? 'tcp')
    if (code) this.#finish(code)
    else this.reject(err)
    this.#discardConnection()
  }

  /** Finishes with what has been received: at a timeout, or in the middle of a body. */
  #cut(): void {
    this.#finish(this.#toErrorCode())
    this.#discardConnection()
  }

  /** For an error of this process, which says nothing about the receiver. */
  reject(err: unknown): void {
    this.isOver = true
    clearTimeout(this.#timer)
    this.#settle.reject(err)
    this.#discardConnection()
  }

  #discardConnection(): void {
    if (this.#connection) this.#settings.connections.discard(this.#connection)
  }

  #toErrorCode(): ErrorCode | null {
    return this.#response ? toStatusErrorCode(this.#response.status) : 'TIMEOUT'
  }

  #finish(errorCode: ErrorCode | null): void {
    this.isOver = true
    clearTimeout(this.#timer)
    this.#settle.resolve({
      ok: errorCode === null,
      httpStatus: this.#response?.status ?? null,
      errorCode,
      retryAfterSeconds: errorCode === null ? null : this.#readRetryAfter(),
      requestHeaders: this.#requestHeaders,
      responseHeaders: this.#response?.headers ?? NO_HEADERS,
      responseBody: this.#response?.body ?? NO_BYTES,
      address: this.#connection?.address ?? null,
      timings: this.#measure(),
    })
  }

  #readRetryAfter(): number | null {
    const header = [this.#response?.headers['retry-after']].flat()[0]
    return header === undefined ? null : parseRetryAfter(header, this.#settings.now())
  }

  #measure(): AttemptTimings {
    const connection = this.#connection
    return {
      dnsMs: toElapsedMs(this.#startedAt, this.#vettedAt),
      connectMs: connection && !connection.isReused ? connection.connectMs : null,
      firstByteMs: toElapsedMs(this.#sentAt, connection?.firstByteAt ?? null),
      totalMs: Math.round(performance.now() - this.#startedAt),
    }
  }
}

function toElapsedMs(since: number | null, until: number | null): number | null {
  return since === null || until === null ? null : Math.round(until - since)
}

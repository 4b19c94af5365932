import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../../kernel/clock.ts'
import type { Destinations, Vetted } from '../../../kernel/net/vet.ts'
import type { Connection } from './connection.ts'
import type { Borrower, Connections } from './connections.ts'
import { type ErrorCode, errorOfConnection, errorOfStatus, type Outcome, type Parcel, type Timings } from './outcome.ts'
import { boundHeaders } from './response-headers.ts'
import { parseRetryAfter } from './retry-after.ts'
import { signatureHeaders } from './signature.ts'

const BODY_BYTES_KEPT = 4 * 1024
const BODY_BYTES_READ = 64 * 1024
const NO_BYTES = Buffer.alloc(0)
const NO_HEADERS = Object.freeze({})

export type AttemptSettings = {
  connections: Connections
  userAgent: string
  now: Clock
  /** From name resolution to the end of the response's headers. */
  deadlineMs: number
  /** For the body, from then on. */
  bodyMs: number
}

/**
 * One attempt and its one outcome. It waits for the vetting of its destination, then for a connection, and then hears
 * from the HTTP client, whose handler it is. Until the response's headers are complete, whatever goes wrong is the
 * outcome; from then on the status is, whatever becomes of the body. A class, as thousands are made in a second.
 */
export class Attempt implements Borrower, Dispatcher.DispatchHandler {
  readonly outcome: Promise<Outcome>
  isOver = false
  needsNew = false

  readonly #parcel: Parcel
  readonly #settings: AttemptSettings
  readonly #settle = Promise.withResolvers<Outcome>()
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout
  #vetted: Vetted | undefined
  #connection: Connection | undefined
  #vettedAt: number | null = null
  #sentAt: number | null = null
  #requestHeaders: Record<string, string> = NO_HEADERS
  #status: number | null = null
  #responseHeaders: IncomingHttpHeaders = NO_HEADERS
  #body = NO_BYTES
  #bodyBytes = 0

  constructor(parcel: Parcel, settings: AttemptSettings) {
    this.#parcel = parcel
    this.#settings = settings
    this.outcome = this.#settle.promise
    this.#timer = setTimeout(Attempt.#expire, settings.deadlineMs, this)
  }

  static #expire(attempt: Attempt): void {
    attempt.#breakOff()
  }

  proceed(checked: Awaited<ReturnType<Destinations['check']>>): void {
    if (this.isOver) return
    this.#vettedAt = performance.now()
    if (checked.ok) {
      this.#requestHeaders = this.#sign()
      this.#settings.connections.lend(this, checked)
    } else {
      this.#end(checked.code)
    }
  }

  #sign(): Record<string, string> {
    const { deliveryId, body, secret, deliveryFormat } = this.#parcel
    const timestamp = Math.floor(this.#settings.now().getTime() / 1000)
    return {
      'Content-Type': 'application/json',
      'User-Agent': this.#settings.userAgent,
      'Accept-Encoding': 'identity',
      ...signatureHeaders(deliveryFormat, { deliveryId, timestamp, body, secret }),
    }
  }

  use(connection: Connection, vetted: Vetted): void {
    this.#vetted = vetted
    this.#connection = connection
    const path = vetted.url.pathname + vetted.url.search
    const { body } = this.#parcel
    connection.client.dispatch({ method: 'POST', path, headers: this.#requestHeaders, body }, this)
  }

  onRequestStart(): void {
    this.#sentAt = performance.now()
    this.#connection?.expectResponse()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Interim responses are skipped, so this is no valid response, and undici is about to fail.
    if (status < 200) return
    this.#status = status
    this.#responseHeaders = boundHeaders(headers)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(Attempt.#expire, this.#settings.bodyMs, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return
    const room = BODY_BYTES_KEPT - this.#body.length
    // Copied, as a piece of a chunk keeps the whole of it in memory.
    if (room > 0) this.#body = Buffer.concat([this.#body, chunk.subarray(0, room)])
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > BODY_BYTES_READ) this.#breakOff()
  }

  onResponseEnd(): void {
    if (this.isOver) return
    this.#end(this.#errorSoFar())
    const connection = this.#connection
    // undici closes a connection that cannot be used again right after this call.
    if (connection) queueMicrotask(() => this.#settings.connections.giveBack(connection))
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, err: Error): void {
    if (this.isOver) return
    if (this.#status !== null) this.#breakOff()
    else if (this.#isStale()) this.#startAnew()
    else this.#giveUp(err)
  }

  #giveUp(err: Error): void {
    const connection = this.#connection
    const code = errorOfConnection(connection?.error ?? err, connection?.stage ?? 'tcp')
    if (code) this.#end(code)
    else this.fail(err)
    this.#drop()
  }

  /** The receiver closed a kept connection before it heard of this request, or so it seems from here. */
  #isStale(): boolean {
    return this.#connection?.isUsed === true && this.#connection.firstByteAt === null
  }

  /** At most once, as the connection will be a new one. The deadline stays. */
  #startAnew(): void {
    this.#drop()
    this.needsNew = true
    if (this.#vetted) this.#settings.connections.lend(this, this.#vetted)
  }

  /** Ends at the deadline, or with as much of the body as there is. */
  #breakOff(): void {
    this.#end(this.#errorSoFar())
    this.#drop()
  }

  /** Ends without an outcome: what happened is no doing of the receiver's. */
  fail(err: unknown): void {
    this.isOver = true
    clearTimeout(this.#timer)
    this.#settle.reject(err)
    this.#drop()
  }

  #drop(): void {
    if (this.#connection) this.#settings.connections.drop(this.#connection)
  }

  #errorSoFar(): ErrorCode | null {
    return this.#status === null ? 'TIMEOUT' : errorOfStatus(this.#status)
  }

  #end(errorCode: ErrorCode | null): void {
    this.isOver = true
    clearTimeout(this.#timer)
    this.#settle.resolve({
      ok: errorCode === null,
      httpStatus: this.#status,
      errorCode,
      retryAfterSeconds: errorCode === null ? null : this.#retryAfterSeconds(),
      requestHeaders: this.#requestHeaders,
      responseHeaders: this.#responseHeaders,
      responseBody: this.#body,
      address: this.#connection?.address ?? null,
      timings: this.#timings(),
    })
  }

  #retryAfterSeconds(): number | null {
    const header = [this.#responseHeaders['retry-after']].flat()[0]
    return header === undefined ? null : parseRetryAfter(header, this.#settings.now())
  }

  #timings(): Timings {
    const connection = this.#connection
    return {
      dnsMs: elapsed(this.#startedAt, this.#vettedAt),
      connectMs: connection && !connection.isUsed ? connection.connectMs : null,
      firstByteMs: this.#sentAt === null ? null : elapsed(this.#sentAt, connection?.firstByteAt ?? null),
      totalMs: Math.round(performance.now() - this.#startedAt),
    }
  }
}

function elapsed(since: number, until: number | null): number | null {
  return until === null ? null : Math.round(until - since)
}

import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as openTls, type SecureContext, TLSSocket } from 'node:tls'
import { type buildConnector, Client } from 'undici'
import type { CheckedDestination } from '../../../kernel/net/destinations.ts'
import { createInterimResponses } from './interim-responses.ts'
import type { ConnectionStage } from './send-result.ts'
import type { TlsSessions } from './tls-sessions.ts'

/** The limit of Node's own servers and clients. */
const HEADER_BYTES_MAX = 16 * 1024

/** The limit for the idle time that a server announces in `Keep-Alive`. */
const IDLE_MS_MAX = 60_000

/** One error for all: capturing a stack trace is the largest part of the cost of closing a connection. */
const DISCARDED = Object.assign(new Error('The connection was discarded'), { code: 'ECONNABORTED' })

export type ConnectionSettings = {
  /** Created at the first call, because it reads all root certificates. */
  getSecureContext: () => SecureContext
  sessions: TlsSessions
  /** For each of several addresses except the last, which has until the deadline. */
  addressTimeoutMs: number
  /** For a receiver that sends no `Keep-Alive`. */
  idleMs: number
}

/**
 * One socket and the HTTP client on it. It dials when the first request is dispatched, only addresses that were checked
 * for that request, and never again.
 */
export class Connection {
  readonly origin: string
  readonly client: Client
  /** The address that was dialed last, spelled as checked. */
  address: string | null = null
  stage: ConnectionStage = 'tcp'
  connectMs: number | null = null
  /** The time of the first byte of the current response, interim responses included. */
  firstByteAt: number | null = null
  /** The first error of the socket. undici reports the last one: "closed" instead of the TLS alert before it. */
  error: Error | undefined
  /** True if it has carried a response, so that the receiver may have closed it since. */
  isReused = false
  isDiscarded = false

  readonly #checked: CheckedDestination
  readonly #settings: ConnectionSettings
  readonly #onClose: (connection: Connection) => void
  readonly #interimResponses = createInterimResponses()
  #socket: Socket | undefined

  constructor(checked: CheckedDestination, settings: ConnectionSettings, onClose: (connection: Connection) => void) {
    this.origin = checked.url.origin
    this.#checked = checked
    this.#settings = settings
    this.#onClose = onClose
    this.client = new Client(this.origin, {
      connect: (_options, done) => this.#dial(done),
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: settings.idleMs,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      // The deadline of the attempt covers both; undici's own timers have a resolution of a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** A receiver may respond before it has read the request: the next one would wait behind the unread rest. */
  isUsable(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writableLength === 0
  }

  /** The next request may find the connection closed before it is written: it has then had no byte of its response. */
  markReused(): void {
    this.isReused = true
    this.firstByteAt = null
  }

  expectResponse(): void {
    this.firstByteAt = null
    this.#interimResponses.expect()
  }

  destroy(): void {
    this.#socket?.destroy()
    this.client.destroy(DISCARDED, () => undefined)
  }

  /**
   * undici dials again when a kept-alive socket closes before a request is written to it. The checked addresses may have
   * changed by then, so that is refused, and the attempt acquires a new connection.
   */
  #dial(done: buildConnector.Callback): void {
    if (this.#socket) {
      done(DISCARDED, null)
      return
    }
    const startedAt = performance.now()
    const socket = openSocket(this.#checked, this.#settings)
    this.#socket = socket
    this.#watch(socket, done)
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      this.stage = 'open'
      this.connectMs = Math.round(performance.now() - startedAt)
      if (socket instanceof TLSSocket) this.#storeSession(socket)
      this.#skipInterimResponses(socket)
      done(null, socket)
    })
  }

  #watch(socket: Socket, done: buildConnector.Callback): void {
    socket.on('connectionAttempt', (address: string) => {
      this.address = address
    })
    socket.once('connect', () => {
      this.stage = 'tls'
    })
    socket.on('error', (err) => {
      this.error ??= err
      if (this.stage === 'tls') this.#settings.sessions.delete(this.origin)
      if (this.stage !== 'open') done(err, null)
    })
    socket.once('close', () => this.#onClose(this))
  }

  /** This listener runs before undici's, which then reads the bytes that are unshifted here. */
  #skipInterimResponses(socket: Socket): void {
    socket.on('readable', () => {
      if (!this.#interimResponses.isExpected()) return
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return
      this.firstByteAt ??= performance.now()
      const result = this.#interimResponses.skip(chunk)
      if (result instanceof Error) socket.destroy(result)
      else if (result.length > 0) socket.unshift(result)
    })
  }

  /** TLS 1.2 has its session at the end of the handshake; TLS 1.3 sends one or more of them later. */
  #storeSession(socket: TLSSocket): void {
    const { sessions } = this.#settings
    const isResumed = socket.isSessionReused()
    const session = socket.getProtocol() === 'TLSv1.2' ? socket.getSession() : undefined
    if (session) sessions.store(this.origin, session, { isResumed })
    socket.on('session', (later) => sessions.store(this.origin, later, { isResumed }))
  }
}

/** Dials the checked addresses one after another. A host that is an address is dialed as it is. */
function openSocket({ url, addresses }: CheckedDestination, settings: ConnectionSettings): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // On the next tick, because the caller has yet to add its listeners.
  const lookup: LookupFunction = (_name, _options, done) => process.nextTick(done, null, addresses)
  const options = {
    host,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: settings.addressTimeoutMs,
    noDelay: true,
  }
  if (url.protocol === 'http:') return openTcp({ ...options, port: Number(url.port || 80) })

  const tlsOptions: ConnectionOptions = {
    ...options,
    port: Number(url.port || 443),
    // SNI takes no addresses; the certificate is then verified against `host`.
    servername: isIP(host) === 0 ? host : '',
    secureContext: settings.getSecureContext(),
    session: settings.sessions.find(url.origin),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: true,
  }
  return openTls(tlsOptions)
}

import { connect as connectPlainly, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectSecurely, type SecureContext, TLSSocket } from 'node:tls'
import { type buildConnector, Client } from 'undici'
import type { Vetted } from '../../../kernel/net/vet.ts'
import { createInterimResponses } from './interim-responses.ts'
import type { Stage } from './outcome.ts'
import type { TlsSessions } from './tls-sessions.ts'

/** What a receiver's headers may take; Node's own servers and clients have the same bound. */
const HEADER_BYTES_MAX = 16 * 1024

/** Servers say in `Keep-Alive` how long they keep a connection; none is kept longer than this, whatever they say. */
const IDLE_MS_MAX = 60_000

/** One for all, as to record where it was made costs more than all else in closing a connection. */
const DROPPED = Object.assign(new Error('The connection was dropped'), { code: 'ECONNABORTED' })

export type ConnectionSettings = {
  /** Makes the context at the first call, as it reads every root certificate. */
  secureContext: () => SecureContext
  sessions: TlsSessions
  /** For one of several addresses, before the next is tried. The last has until the deadline. */
  addressMs: number
  /** For connections of which the receiver says nothing. */
  idleMs: number
}

/**
 * One socket from its dialling to its end, with the HTTP client that uses it. It dials when the first request is
 * dispatched, only addresses that were vetted for that request, and never again.
 */
export class Connection {
  readonly origin: string
  readonly client: Client
  /** Where it was dialled last, as the vetting spelled it. */
  address: string | null = null
  stage: Stage = 'tcp'
  connectMs: number | null = null
  /** When the first byte of the response arrived, of an interim one if there was one. */
  firstByteAt: number | null = null
  /** The first error of the socket: undici reports the last, and "closed" says less than the alert before it. */
  error: Error | undefined
  /** Whether it has carried a response, and may have been closed by the receiver since. */
  isUsed = false
  isDropped = false

  readonly #vetted: Vetted
  readonly #settings: ConnectionSettings
  readonly #onClose: (connection: Connection) => void
  readonly #interim = createInterimResponses()
  #socket: Socket | undefined

  constructor(vetted: Vetted, settings: ConnectionSettings, onClose: (connection: Connection) => void) {
    this.origin = vetted.url.origin
    this.#vetted = vetted
    this.#settings = settings
    this.#onClose = onClose
    this.client = new Client(this.origin, {
      connect: (_options, done) => this.#dial(done),
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: settings.idleMs,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      // The deadline of the attempt covers both, exactly; undici's own timers are coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** A receiver may answer before it has read: what follows would wait behind what it never reads. */
  isUsable(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writableLength === 0
  }

  expectResponse(): void {
    this.firstByteAt = null
    this.#interim.expect()
  }

  destroy(): void {
    this.#socket?.destroy()
    this.client.destroy(DROPPED, () => undefined)
  }

  /**
   * undici dials by itself when a kept-alive socket dies before a request is written to it. The addresses may be others
   * by then, so this is refused, and the attempt takes a new connection.
   */
  #dial(done: buildConnector.Callback): void {
    if (this.#socket) {
      done(DROPPED, null)
      return
    }
    const startedAt = performance.now()
    const socket = open(this.#vetted, this.#settings)
    this.#socket = socket
    this.#watch(socket, done)
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      this.stage = 'open'
      this.connectMs = Math.round(performance.now() - startedAt)
      if (socket instanceof TLSSocket) this.#rememberSession(socket)
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
      if (this.stage === 'tls') this.#settings.sessions.forget(this.origin)
      if (this.stage !== 'open') done(err, null)
    })
    socket.once('close', () => this.#onClose(this))
  }

  /** Listens before undici does: what is read here and not unshifted, undici never sees. */
  #skipInterimResponses(socket: Socket): void {
    socket.on('readable', () => {
      if (!this.#interim.isExpected()) return
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return
      this.firstByteAt ??= performance.now()
      try {
        const rest = this.#interim.skip(chunk)
        if (rest.length > 0) socket.unshift(rest)
      } catch (err) {
        socket.destroy(err instanceof Error ? err : undefined)
      }
    })
  }

  /** Called with a certificate that was accepted. TLS 1.2 has its session by then, TLS 1.3 sends one or more later. */
  #rememberSession(socket: TLSSocket): void {
    const { sessions } = this.#settings
    const isResumed = socket.isSessionReused()
    const early = socket.getProtocol() === 'TLSv1.2' ? socket.getSession() : undefined
    if (early) sessions.remember(this.origin, early, { isResumed })
    socket.on('session', (session) => sessions.remember(this.origin, session, { isResumed }))
  }
}

/** Several addresses are tried in turn, as vetted. A host that is an address itself is dialled as it stands. */
function open({ url, addresses }: Vetted, settings: ConnectionSettings): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // On a later turn, so that listeners are there for what follows.
  const lookup: LookupFunction = (_name, _options, done) => process.nextTick(done, null, addresses)
  const options = {
    host,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: settings.addressMs,
    noDelay: true,
  }
  if (url.protocol === 'http:') return connectPlainly({ ...options, port: Number(url.port || 80) })

  const secure: ConnectionOptions = {
    ...options,
    port: Number(url.port || 443),
    // An address is no server name; the certificate is then checked against `host`.
    servername: isIP(host) === 0 ? host : '',
    secureContext: settings.secureContext(),
    session: settings.sessions.find(url.origin),
    ALPNProtocols: ['http/1.1'],
    // Said here because an environment variable could otherwise turn it off.
    rejectUnauthorized: true,
  }
  return connectSecurely(secure)
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createRaw, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { TlsOptions } from 'node:tls'
import { parseAllowedDestination } from '../../../../kernel/net/allowed-destinations.ts'
import { createDestinations } from '../../../../kernel/net/destinations.ts'
import type { Lookup } from '../../../../kernel/net/lookup.ts'
import { createResolver } from '../../../../kernel/net/resolver.ts'
import type { DeliveryRequest } from '../delivery-request.ts'
import { createSender, type SenderOptions } from '../sender.ts'

export const HOST = 'hooks.example.com'
export const SECRET = 'whsec_canary'
export const DELIVERY_ID = '0198c2f0-7a5b-7c3d-8e4f-123456789abc'

export type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }
type Respond = (response: ServerResponse, received: Received) => void

/** An HTTP server, with TLS where a certificate is given, that stores the requests it receives. */
export async function startReceiver(t: TestContext, respond: Respond = (response) => response.end(), tls?: TlsOptions) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const stored = { method, url, headers, body: Buffer.concat(chunks) }
    received.push(stored)
    respond(response, stored)
  }
  const server = tls ? createHttps(tls, onRequest) : createHttp(onRequest)
  server.on('connection', (socket) => sockets.add(socket))
  const port = await listen(t, server)
  t.after(() => server.closeAllConnections())
  return { port, received, sockets, server }
}

/** A TCP server, for responses that no HTTP server sends. `serve` is called for each connection. */
export async function startRawReceiver(t: TestContext, serve: (socket: Socket, index: number) => void) {
  const sockets: Socket[] = []
  const server = createRaw({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    serve(socket, sockets.push(socket) - 1)
  })
  const port = await listen(t, server)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port, sockets }
}

/** Sends these bytes on each connection when the first request has arrived. */
export function respondWith(bytes: string | Buffer, then: (socket: Socket) => void = () => undefined) {
  return (socket: Socket) => void socket.once('data', () => socket.write(bytes, () => then(socket)))
}

/** Listens on a free port. */
export async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A port on which no server listens. */
export async function closedPort(): Promise<number> {
  const server = createRaw().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Zone = Record<string, string[] | Promise<string[]>>
export type Options = Partial<SenderOptions> & { port: number; zone?: Zone; dnsMs?: number }

/**
 * A sender that resolves names by `zone` and may connect to loopback addresses on one port. A DNS answer is cached until
 * the test advances `clock.ms` by a second.
 */
export function openSender(t: TestContext, given: Options) {
  const { port, zone = { [HOST]: ['127.0.0.1'] }, dnsMs = 5000, ...options } = given
  const clock = { ms: 0 }
  const lookup: Lookup = async ({ name }) => {
    const addresses = await zone[name]
    if (!addresses) throw Object.assign(new Error('No such name'), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const resolver = createResolver({ timeoutMs: dnsMs, lookup, now: () => clock.ms })
  const allowed = parseAllowedDestination(`127.0.0.0/8:${port}`)
  assert.ok(!('problem' in allowed))
  const destinations = createDestinations({ allowed: [allowed], resolver })
  const sender = createSender({ destinations, version: '1.2.3', ...options })
  t.after(() => sender[Symbol.asyncDispose]())

  function send(request: Partial<DeliveryRequest> = {}) {
    const payload = Buffer.from('{"id":"evt"}')
    const url = `http://${HOST}:${port}/hooks?a=b`
    return sender.send({ url, deliveryId: DELIVERY_ID, payload, secret: SECRET, deliveryFormat: 'native', ...request })
  }
  return { send, sender, zone, clock }
}

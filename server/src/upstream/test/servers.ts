import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createSimulator } from '@hubline/simulator'
import type { UpstreamOptions } from '../http/client.ts'
import { createUpstream } from '../upstream.ts'

export const APP = { appId: '1029384756', appSecret: 'canary-app-secret' }
export const TOKEN = 'canary.upstream-token'
export const PHONE_ID = '106540352242922'

export type Recorded = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = (request: Recorded, response: ServerResponse, index: number) => void

/** An HTTP server that records requests and responds as the test says. */
export async function recordingServer(t: TestContext, answer: Answer) {
  const requests: Recorded[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() }
    answer(recorded, response, requests.push(recorded) - 1)
  })
  const url = await listen(t, server)
  t.after(() => server.closeAllConnections())
  return { url, requests }
}

/** A TCP server, for responses that no HTTP server would send. */
export async function socketServer(t: TestContext, onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  const url = await listen(t, server)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { url, sockets }
}

async function listen(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A URL whose port is closed. */
export async function closePort(): Promise<string> {
  const server = createSocketServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

export function openUpstream(t: TestContext, url: string, options: Partial<UpstreamOptions> = {}) {
  const upstream = createUpstream({
    url,
    version: 'v25.0',
    ...APP,
    timeoutMs: 5_000,
    sleep: async () => {},
    ...options,
  })
  t.after(() => upstream[Symbol.asyncDispose]())
  return upstream
}

export type Seeded = { waba_id: string; access_token: string; numbers: { phone_number_id: string }[] }

/** The simulator with one account, whose first number is registered and whose second is on the business app. */
export async function openSandbox(t: TestContext, options: Partial<UpstreamOptions> = {}) {
  const simulator = createSimulator(APP)
  t.after(() => simulator.close())
  await simulator.listen()
  const upstream = openUpstream(t, simulator.url, options)
  const account = await simulator.control<Seeded>('POST', '/accounts', {
    name: 'Padaria',
    numbers: [{ registered: true, pin: '123456' }, { coexistence: true }],
  })
  const [phoneId = '', coexistingId = ''] = account.numbers.map((number) => number.phone_number_id)
  const fault = (members: Record<string, string | number | null>) => simulator.control('POST', '/faults', members)
  return { simulator, upstream, wabaId: account.waba_id, token: account.access_token, phoneId, coexistingId, fault }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export const SENT = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '+5511987654321', wa_id: '5511987654321' }],
  messages: [{ id: 'wamid.HBgLNTUx' }],
}

export const TEXT = { to: '+5511987654321', type: 'text', text: { body: 'oi' } }

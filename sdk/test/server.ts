import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Hub, type HubOptions } from '../src/sdk.ts'

export type Received = { method: string; path: string; headers: IncomingMessage['headers']; body: string }
export type Respond = (response: ServerResponse, request: IncomingMessage) => void

export const CREDENTIAL = 'hub_pk_test'

/** A server in place of a hub that gives the responses in turn, the last one again and again; and a client of it. */
export async function startServer(t: TestContext, responses: Respond[], options: Partial<HubOptions> = {}) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (body === undefined) return
    const { method = '', url: path = '', headers } = request
    received.push({ method, path, headers, body })
    const respond = responses[Math.min(received.length, responses.length) - 1]
    respond?.(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, server, received, hub: new Hub({ url, credential: CREDENTIAL, ...options }) }
}

/** Undefined where the client is gone before its end. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function error(status: number, code: string, headers: Record<string, string> = {}, details: unknown = null) {
  return json(status, { error: { code, message: 'Because.', request_id: 'r-1', details } }, headers)
}

/** Without a wait before the retry. */
export const AT_ONCE = { 'retry-after': '0' }

export function html(status: number, headers: Record<string, string> = {}): Respond {
  return (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Bad Gateway</html>')
}

/** Promises a longer body than it sends, and breaks the connection. */
export function cut(status: number, body: string): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(body.length + 100) })
    response.write(body, () => response.destroy())
  }
}

export const reset: Respond = (response) => response.destroy()
/** Never responds. */
export const hang: Respond = () => {}

import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Identity } from '../../server/test/certificates.ts'

/**
 * The receiver of the delivery benchmarks, a separate process. It parses just
 * enough HTTP to answer a POST, so that it adds little to each figure. The path
 * selects the behavior:
 *
 * `/ok/…` responds at once, in the usual ways in turn. `/empty/…` always responds
 * 200 without a body. `/timed/…` is like `/ok/…`, `/timed-empty/…` is like `/empty/…`,
 * and both record the time of the request under the marker in its body. `/silent/…` responds only to
 * every eighth request, so that its endpoint never fails twenty times in a row.
 */
const EMPTY_RESPONSE = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
const RESPONSES = [
  EMPTY_RESPONSE,
  Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'),
  Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok'),
  Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{"received":true}'),
  Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
]
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i
const RESPONDS_EVERY = 8
/** A UUID follows it. */
const MARK = Buffer.from('mark:')
const MARK_LENGTH = 36

let posts = 0
const requestCounts = new Map<string, number>()
let hits: [mark: string, at: number][] = []

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = findRequestEnd(rest); end > 0 && end <= rest.length; end = findRequestEnd(rest)) {
      receive(socket, rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  })
}

/** The offset at which the first request ends; 0 while its head is incomplete. */
function findRequestEnd(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return 0
  const length = LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? 0
  return headEnd + HEAD_END.length + Number(length)
}

function receive(socket: Socket, request: Buffer): void {
  posts++
  const path = request.toString('latin1', 'POST '.length, request.indexOf(' ', 'POST '.length))
  if (path.startsWith('/timed')) recordHit(request)
  if (!path.startsWith('/silent/') || isAnswered(path)) socket.write(chooseResponse(path))
}

function chooseResponse(path: string): Buffer {
  return /^\/(timed-)?empty\//.test(path) ? EMPTY_RESPONSE : (RESPONSES[posts % RESPONSES.length] ?? EMPTY_RESPONSE)
}

function recordHit(request: Buffer): void {
  const start = request.indexOf(MARK) + MARK.length
  hits.push([request.toString('latin1', start, start + MARK_LENGTH), now()])
}

function isAnswered(path: string): boolean {
  const count = (requestCounts.get(path) ?? 0) + 1
  requestCounts.set(path, count)
  return count % RESPONDS_EVERY === 0
}

/** Replies to each message of the benchmark with the requests since the last one. */
process.on('message', () => {
  process.send?.({ posts, hits })
  posts = 0
  hits = []
})
/** The same clock as in the benchmark's own process. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1', 4096)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port')
  return address.port
}

process.on('disconnect', () => process.exit(0))
const identity: Identity = JSON.parse(process.argv[2] ?? '')
process.send?.({
  port: await listen(createServer({ noDelay: true }, serve)),
  tlsPort: await listen(createTlsServer(identity, (socket) => serve(socket.setNoDelay()))),
})

import { createServer, type Socket } from 'node:net'

/**
 * The receiver of the delivery benchmarks, a process of its own. It knows just
 * enough HTTP to answer a POST, so that it is as small a part of every figure as
 * a receiver can be. Its paths are its manners:
 *
 * `/ok/…` is answered 200 at once; `/timed/…` too, and the moment of the request
 * is kept under the mark that its body ends with; `/silent/…` is answered only
 * every eighth time, so that its endpoint never fails twenty times in a row.
 */
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i
const ANSWERED_EVERY = 8
/** A UUID, and what closes the envelope after it. */
const MARK_LENGTH = 36
const CLOSING_LENGTH = '"}}'.length

let posts = 0
const asked = new Map<string, number>()
let hits: [mark: string, at: number][] = []

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = endOfRequest(rest); end > 0 && end <= rest.length; end = endOfRequest(rest)) {
      receive(socket, rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  })
})

/** Where the request ends that the bytes begin with; 0 while its head is incomplete. */
function endOfRequest(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return 0
  const length = LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? 0
  return headEnd + HEAD_END.length + Number(length)
}

function receive(socket: Socket, request: Buffer): void {
  posts++
  const path = request.toString('latin1', 'POST '.length, request.indexOf(' ', 'POST '.length))
  if (path.startsWith('/timed/')) note(request)
  if (!path.startsWith('/silent/') || isTurn(path)) socket.write(ANSWER)
}

function note(request: Buffer): void {
  const end = request.length - CLOSING_LENGTH
  hits.push([request.toString('latin1', end - MARK_LENGTH, end), now()])
}

function isTurn(path: string): boolean {
  const count = (asked.get(path) ?? 0) + 1
  asked.set(path, count)
  return count % ANSWERED_EVERY === 0
}

/** Each question of the benchmark is answered with what has come since the last. */
process.on('message', () => {
  process.send?.({ posts, hits })
  posts = 0
  hits = []
})
/** The same clock as in the benchmark's own process. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})

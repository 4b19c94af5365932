import assert from 'node:assert/strict'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createRaw, type Server } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAuthority, issue } from '../../../../test/certificates.ts'
import { HOST, listen, openSender, respondWith } from './test/receivers.ts'

const ATTEMPTS = 1000
const CONCURRENCY = 20
/** A kilobyte for each attempt; a leaked connection takes many times that. */
const GROWTH_BYTES_MAX = 1024 * ATTEMPTS

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function repeat(times: number, initiator: () => Promise<unknown>): Promise<void> {
  let left = times
  const worker = async () => {
    while (left-- > 0) await initiator()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

async function measureHeap(): Promise<number> {
  // Closed sockets release their memory in the following ticks.
  for (let tick = 0; tick < 10; tick++) await new Promise(setImmediate)
  collectGarbage()
  await new Promise(setImmediate)
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The first round fills caches and compiles code. */
async function measureGrowth(initiator: () => Promise<unknown>): Promise<number> {
  await repeat(ATTEMPTS / 5, initiator)
  const before = await measureHeap()
  await repeat(ATTEMPTS, initiator)
  return (await measureHeap()) - before
}

/** Unlike those of other tests, these receivers store nothing. */
const RECEIVERS: Record<string, { server: () => Server; errorCode: string | null }> = {
  'end in a bad certificate': {
    server: () => createHttps(issue(createAuthority('Unknown'), [HOST])).on('tlsClientError', () => undefined),
    errorCode: 'TLS_FAILED',
  },
  'break in the middle of a response': {
    server: () => createRaw(respondWith('HTTP/1.1 20', (socket) => socket.resetAndDestroy())),
    errorCode: 'CONNECTION_FAILED',
  },
  'have their response cut': {
    server: () => createHttp((_request, response) => response.end(Buffer.alloc(70 * 1024))),
    errorCode: null,
  },
  'reuse connections': {
    server: () => createHttp((_request, response) => response.end('{"ok":true}')),
    errorCode: null,
  },
}

for (const [what, { server, errorCode }] of Object.entries(RECEIVERS)) {
  test(`a thousand attempts that ${what} leak no memory`, async (t) => {
    const port = await listen(t, server())
    const { send } = openSender(t, { port, ca: createAuthority().cert })
    const url = `${errorCode === 'TLS_FAILED' ? 'https' : 'http'}://${HOST}:${port}/`

    const bytes = await measureGrowth(async () => {
      assert.equal((await send({ url })).errorCode, errorCode)
    })

    assert.ok(bytes < GROWTH_BYTES_MAX, `${Math.round(bytes / 1024)} KiB`)
  })
}

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { HOST, openSender, startReceiver } from './test/receivers.ts'

/** What never comes would be waited for without end. */
const IN_TIME = { timeout: 20_000 }
const TURNS = 20

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** Until the headers of a response have arrived. */
function headersArrive(): Promise<void> {
  return new Promise((resolve) => {
    const name = 'undici:request:headers'
    const hear = () => {
      unsubscribe(name, hear)
      resolve()
    }
    subscribe(name, hear)
  })
}

/** Tells which of several have come to their end, after all that was to happen by now has happened. */
function watch(all: Record<string, Promise<unknown>>): () => Promise<string[]> {
  const over = new Set<string>()
  for (const [name, one] of Object.entries(all)) void one.then(() => over.add(name))
  return async () => {
    for (let turns = 0; turns < TURNS; turns++) await turn()
    return [...over].sort()
  }
}

test('a receiver has ten seconds from the resolution of its name to its last header, and one more for its body', {
  ...IN_TIME,
  rules: ['D10-22', 'D10-23', 'LIM-15', 'RCV-06'],
}, async (t) => {
  const held = new Map<string, ServerResponse>()
  const { port } = await startReceiver(t, (response, { url }) => {
    if (url === '/cut') response.writeHead(200, { 'content-length': '10' }).write('half')
    else held.set(url, response)
  })
  const zone = { [HOST]: ['127.0.0.1'], 'silent.example.com': new Promise<string[]>(() => undefined) }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // Whatever is under way then ends, so that a failure of this test is no hang.
  t.after(() => t.mock.timers.tick(60_000))
  const { send } = openSender(t, { port, zone, dnsMs: 60_000 })
  const to = (path: string) => send({ url: `http://${HOST}:${port}${path}` })
  const arrival = headersArrive()
  const cut = to('/cut')
  await arrival
  const [late, silent] = [to('/late'), to('/silent')]
  const nameless = send({ url: 'https://silent.example.com/' })
  const over = watch({ cut, late, silent, nameless })
  while (held.size < 2) await turn()

  const seen: string[][] = []
  for (const ms of [999, 1, 8999]) {
    t.mock.timers.tick(ms)
    seen.push(await over())
  }
  held.get('/late')?.end()
  await late
  seen.push(await over())
  t.mock.timers.tick(1)
  seen.push(await over())

  assert.deepEqual(seen, [[], ['cut'], ['cut'], ['cut', 'late'], ['cut', 'late', 'nameless', 'silent']])
  const outcomes = await Promise.all([cut, late, silent, nameless])
  assert.deepEqual(
    outcomes.map(({ ok, httpStatus, errorCode }) => [ok, httpStatus, errorCode]),
    [
      [true, 200, null],
      [true, 200, null],
      [false, null, 'TIMEOUT'],
      [false, null, 'TIMEOUT'],
    ],
  )
})

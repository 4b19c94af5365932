import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { HOST, openSender, startReceiver } from './test/receivers.ts'

/** A failure would otherwise wait forever. */
const TIMEOUT = { timeout: 20_000 }
const TICKS = 20

function nextTick(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** Resolves when the headers of a response have arrived. */
function waitForHeaders(): Promise<void> {
  return new Promise((resolve) => {
    const name = 'undici:request:headers'
    const onHeaders = () => {
      unsubscribe(name, onHeaders)
      resolve()
    }
    subscribe(name, onHeaders)
  })
}

/** Returns a function that lists the promises which have settled, once pending I/O is done. */
function trackSettled(all: Record<string, Promise<unknown>>): () => Promise<string[]> {
  const over = new Set<string>()
  for (const [name, one] of Object.entries(all)) void one.then(() => over.add(name))
  return async () => {
    for (let tick = 0; tick < TICKS; tick++) await nextTick()
    return [...over].sort()
  }
}

test('a receiver has ten seconds from name resolution to its last header, and one more for its body', {
  ...TIMEOUT,
  rules: ['delivery.ten-seconds-to-answer', 'delivery.response-body-is-cut', 'delivery.any-2xx-succeeds'],
}, async (t) => {
  const held = new Map<string, ServerResponse>()
  const { port } = await startReceiver(t, (response, { url }) => {
    if (url === '/cut') response.writeHead(200, { 'content-length': '10' }).write('half')
    else held.set(url, response)
  })
  const zone = { [HOST]: ['127.0.0.1'], 'silent.example.com': new Promise<string[]>(() => undefined) }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // Ends the attempts in flight, so that this test cannot hang where it fails.
  t.after(() => t.mock.timers.tick(60_000))
  const { send } = openSender(t, { port, zone, dnsMs: 60_000 })
  const to = (path: string) => send({ url: `http://${HOST}:${port}${path}` })
  const arrival = waitForHeaders()
  const cut = to('/cut')
  await arrival
  const [late, silent] = [to('/late'), to('/silent')]
  const unresolved = send({ url: 'https://silent.example.com/' })
  const over = trackSettled({ cut, late, silent, unresolved })
  while (held.size < 2) await nextTick()

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

  assert.deepEqual(seen, [[], ['cut'], ['cut'], ['cut', 'late'], ['cut', 'late', 'silent', 'unresolved']])
  const results = await Promise.all([cut, late, silent, unresolved])
  assert.deepEqual(
    results.map(({ ok, httpStatus, errorCode }) => [ok, httpStatus, errorCode]),
    [
      [true, 200, null],
      [true, 200, null],
      [false, null, 'TIMEOUT'],
      [false, null, 'TIMEOUT'],
    ],
  )
})

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Question, ResolvedAddress } from './lookup.ts'
import { createResolver } from './resolver.ts'

const ONE: ResolvedAddress[] = [{ address: '192.0.2.1', family: 4 }]
const LATE = { ok: false, code: 'DNS_FAILED', reason: 'The host name was not resolved in time.' }

test('everyone who asks for a name at a time shares one question', async () => {
  const { lookup, asked, answer } = heldLookup()
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })

  const all = [dns('a.example'), dns('a.example'), dns('b.example'), dns('a.example')].map((one) => resolve(one))
  answer(ONE)

  assert.deepEqual(await Promise.all(all), Array(4).fill({ ok: true, addresses: ONE }))
  assert.deepEqual(asked, [dns('a.example'), dns('b.example')])
})

test('an answer, good or bad, serves for a second and not longer', async () => {
  let now = 5000
  let count = 0
  const lookup = async () => (++count === 1 ? ONE : Promise.reject(errorOf('ENOTFOUND')))
  const { resolve } = createResolver({ timeoutMs: 1000, lookup, now: () => now })

  const first = await resolve(dns('a.example'))
  now += 999
  assert.deepEqual(await resolve(dns('a.example')), first)
  now += 1
  const second = await resolve(dns('a.example'))
  now += 999
  assert.deepEqual(await resolve(dns('a.example')), second)

  assert.deepEqual([first.ok, second.ok, count], [true, false, 2])
})

test("the system's answer and the name server's are not taken for each other", async () => {
  const lookup = async ({ via }: Question): Promise<ResolvedAddress[]> =>
    via === 'dns' ? ONE : [{ address: '127.0.0.1', family: 4 }]
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })

  const answers = [await resolve(dns('a.example')), await resolve({ name: 'a.example', via: 'system' })]

  assert.deepEqual(answers[0], { ok: true, addresses: ONE })
  assert.deepEqual(answers[1], { ok: true, addresses: [{ address: '127.0.0.1', family: 4 }] })
})

test('a failure is a value that says what is wrong with the name', async () => {
  const many = Array.from({ length: 65 }, (_, i): ResolvedAddress => ({ address: `192.0.2.${i}`, family: 4 }))
  const cases: [outcome: () => Promise<ResolvedAddress[]>, reason: string][] = [
    [() => Promise.reject(errorOf('ENOTFOUND')), 'The host name does not exist.'],
    [() => Promise.reject(errorOf('ENODATA')), 'The host name has no address.'],
    [() => Promise.resolve([]), 'The host name has no address.'],
    [() => Promise.reject(errorOf('ETIMEOUT')), LATE.reason],
    [() => Promise.resolve(many), 'The host name has too many addresses.'],
    [() => Promise.reject(errorOf('ESERVFAIL')), 'The host name could not be resolved.'],
    [() => Promise.reject(new TypeError('no code')), 'The host name could not be resolved.'],
    [
      () => {
        throw new Error('at once')
      },
      'The host name could not be resolved.',
    ],
  ]

  for (const [lookup, reason] of cases) {
    const { resolve } = createResolver({ timeoutMs: 1000, lookup })
    assert.deepEqual(await resolve(dns('a.example')), { ok: false, code: 'DNS_FAILED', reason })
  }
})

test('a lookup that hangs is a failure to each who waits, and is never asked twice', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { lookup, asked, answer } = heldLookup()
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })

  const first = resolve(dns('a.example'))
  t.mock.timers.tick(1000)
  assert.deepEqual(await first, LATE)
  const second = resolve(dns('a.example'))
  t.mock.timers.tick(999)
  answer(ONE)

  assert.deepEqual(await second, { ok: true, addresses: ONE })
  assert.equal(asked.length, 1)
})

test('who gives up is told so with the reason given, and the others get the answer', async () => {
  const { lookup, asked, answer } = heldLookup()
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })
  const controller = new AbortController()
  const reason = new Error('The deadline is over')

  const gone = resolve(dns('a.example'), controller.signal)
  const stays = resolve(dns('a.example'))
  controller.abort(reason)
  await assert.rejects(gone, reason)
  answer(ONE)

  assert.deepEqual(await stays, { ok: true, addresses: ONE })
  await assert.rejects(resolve(dns('a.example'), controller.signal), reason)
  assert.equal(asked.length, 1)
})

test('a lookup that fails after everyone gave up disturbs nobody', async () => {
  const { lookup, fail } = heldLookup()
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })
  const controller = new AbortController()

  const gone = resolve(dns('a.example'), controller.signal)
  controller.abort()
  await assert.rejects(gone)
  fail(errorOf('ESERVFAIL'))

  // An unhandled rejection would fail this test in the coming turns of the event loop.
  await turn()
  await turn()
})

test('no timer and no listener stays behind an answer', async () => {
  const { resolve } = createResolver({ timeoutMs: 1000, lookup: async () => ONE })
  const { signal } = new AbortController()
  const added = mock.method(signal, 'addEventListener')
  const removed = mock.method(signal, 'removeEventListener')
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

  await resolve(dns('a.example'), signal)

  assert.equal(added.mock.callCount(), removed.mock.callCount())
  assert.equal(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length, before)
})

test('ten thousand answers are kept at most, and the oldest go first', async () => {
  const asked: string[] = []
  const lookup = async ({ name }: Question) => {
    asked.push(name)
    return ONE
  }
  const { resolve } = createResolver({ timeoutMs: 1000, lookup, now: () => 0 })

  for (let i = 0; i <= 10_000; i++) await resolve(dns(`n${i}.example`))
  await resolve(dns('n1.example'))
  await resolve(dns('n10000.example'))
  assert.equal(asked.length, 10_001)
  await resolve(dns('n0.example'))

  assert.equal(asked.length, 10_002)
})

function dns(name: string): Question {
  return { name, via: 'dns' }
}

function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** A lookup that waits for the test to answer. */
function heldLookup() {
  const asked: Question[] = []
  const { promise, resolve: answer, reject: fail } = Promise.withResolvers<ResolvedAddress[]>()
  const lookup = (question: Question) => {
    asked.push(question)
    return promise
  }
  return { lookup, asked, answer, fail }
}

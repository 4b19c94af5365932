import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { LookupQuery, ResolvedAddress } from './lookup.ts'
import { createResolver } from './resolver.ts'

const ONE: ResolvedAddress[] = [{ address: '192.0.2.1', family: 4 }]
const LATE = { ok: false, code: 'DNS_FAILED', reason: 'host_timeout' }

test('concurrent calls for a name share one lookup', async () => {
  const { lookup, asked, answer } = createControlledLookup()
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })

  const all = [dns('a.example'), dns('a.example'), dns('b.example'), dns('a.example')].map((one) => resolve(one))
  answer(ONE)

  assert.deepEqual(await Promise.all(all), Array(4).fill({ ok: true, addresses: ONE }))
  assert.deepEqual(asked, [dns('a.example'), dns('b.example')])
})

test('an answer or a failure is reused for one second', async () => {
  let now = 5000
  let count = 0
  const lookup = async () => (++count === 1 ? ONE : Promise.reject(buildError('ENOTFOUND')))
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

test('answers of the system and of the name servers are kept apart', async () => {
  const lookup = async ({ via }: LookupQuery): Promise<ResolvedAddress[]> =>
    via === 'dns' ? ONE : [{ address: '127.0.0.1', family: 4 }]
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })

  const answers = [await resolve(dns('a.example')), await resolve({ name: 'a.example', via: 'system' })]

  assert.deepEqual(answers[0], { ok: true, addresses: ONE })
  assert.deepEqual(answers[1], { ok: true, addresses: [{ address: '127.0.0.1', family: 4 }] })
})

test('a failed lookup resolves to the reason of the failure', async () => {
  const many = Array.from({ length: 65 }, (_, i): ResolvedAddress => ({ address: `192.0.2.${i}`, family: 4 }))
  const cases: [outcome: () => Promise<ResolvedAddress[]>, reason: string][] = [
    [() => Promise.reject(buildError('ENOTFOUND')), 'host_unknown'],
    [() => Promise.reject(buildError('ENODATA')), 'host_without_address'],
    [() => Promise.resolve([]), 'host_without_address'],
    [() => Promise.reject(buildError('ETIMEOUT')), LATE.reason],
    [() => Promise.resolve(many), 'host_with_too_many_addresses'],
    [() => Promise.reject(buildError('ESERVFAIL')), 'host_unresolved'],
    [() => Promise.reject(new TypeError('no code')), 'host_unresolved'],
    [
      () => {
        throw new Error('at once')
      },
      'host_unresolved',
    ],
  ]

  for (const [lookup, reason] of cases) {
    const { resolve } = createResolver({ timeoutMs: 1000, lookup })
    assert.deepEqual(await resolve(dns('a.example')), { ok: false, code: 'DNS_FAILED', reason })
  }
})

test('a lookup that hangs times out for each caller, and is not started twice', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { lookup, asked, answer } = createControlledLookup()
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

test('a call that is aborted rejects with the reason of its signal, and the other calls get the answer', async () => {
  const { lookup, asked, answer } = createControlledLookup()
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

test('a lookup that fails after all its calls were aborted causes no unhandled rejection', async () => {
  const { lookup, fail } = createControlledLookup()
  const { resolve } = createResolver({ timeoutMs: 1000, lookup })
  const controller = new AbortController()

  const gone = resolve(dns('a.example'), controller.signal)
  controller.abort()
  await assert.rejects(gone)
  fail(buildError('ESERVFAIL'))

  // An unhandled rejection would fail this test in the next iterations of the event loop.
  await nextIteration()
  await nextIteration()
})

test('a call leaves no timer and no listener', async () => {
  const { resolve } = createResolver({ timeoutMs: 1000, lookup: async () => ONE })
  const { signal } = new AbortController()
  const added = mock.method(signal, 'addEventListener')
  const removed = mock.method(signal, 'removeEventListener')
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

  await resolve(dns('a.example'), signal)

  assert.equal(added.mock.callCount(), removed.mock.callCount())
  assert.equal(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length, before)
})

test('at most ten thousand answers are kept, and the oldest are dropped first', async () => {
  const asked: string[] = []
  const lookup = async ({ name }: LookupQuery) => {
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

function dns(name: string): LookupQuery {
  return { name, via: 'dns' }
}

function buildError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** A lookup that the test settles. */
function createControlledLookup() {
  const asked: LookupQuery[] = []
  const { promise, resolve: answer, reject: fail } = Promise.withResolvers<ResolvedAddress[]>()
  const lookup = (query: LookupQuery) => {
    asked.push(query)
    return promise
  }
  return { lookup, asked, answer, fail }
}

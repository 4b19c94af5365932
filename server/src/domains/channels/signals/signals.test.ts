import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applySignal, type SignalState, type StatusSignal } from './signals.ts'

const NOW = 1_790_000_000_000
const FOREVER = NOW * 2
const NO_SIGNALS: SignalState = {
  status: 'active',
  verifiedName: null,
  username: null,
  accountSignal: null,
  accountReason: null,
  accountSignalAt: 0,
  restrictedUntilMs: 0,
  numberSignal: null,
  numberSignalAt: 0,
  nameSignalAt: 0,
  usernameSignalAt: 0,
}

type Status = 'active' | 'degraded' | 'disconnected'

const key = { organizationId: 'o', channelId: 'c' }
const account = (status: Status, signaledAtSeconds: number, restrictedUntilMs = FOREVER): StatusSignal => {
  return { ...key, about: 'account', change: { status, reason: null }, signaledAtSeconds, restrictedUntilMs }
}
const number = (status: Status, signaledAtSeconds: number): StatusSignal => {
  return { ...key, about: 'number', change: { status, reason: null }, signaledAtSeconds }
}
const name = (verifiedName: string, signaledAtSeconds: number): StatusSignal => {
  return { ...key, about: 'name', verifiedName, signaledAtSeconds }
}

const username = (text: string | null, signaledAtSeconds: number): StatusSignal => {
  return { ...key, about: 'username', username: text, signaledAtSeconds }
}

function after(signals: StatusSignal[], before: Partial<SignalState> = {}): SignalState {
  return signals.reduce((state, signal) => applySignal(state, signal, NOW), { ...NO_SIGNALS, ...before })
}

test('a good signal about the number does not end a bad one about its account', () => {
  const signals = [account('degraded', 1), number('degraded', 2), number('active', 3)]

  assert.equal(after(signals).status, 'degraded')
  assert.equal(after([...signals, account('active', 4)]).status, 'active')
})

test('a good signal about the account does not end a bad one about the number', () => {
  const signals = [number('degraded', 1), account('degraded', 2), account('active', 3)]

  assert.equal(after(signals).status, 'degraded')
  assert.equal(after([...signals, number('active', 4)]).status, 'active')
})

test('a signal about the account reconnects a disconnected channel, and one about the number does not', () => {
  for (const status of ['active', 'degraded'] as const) {
    assert.equal(after([number(status, 1)], { status: 'disconnected' }).status, 'disconnected')
  }
  assert.equal(after([account('active', 1)], { status: 'disconnected' }).status, 'active')
})

test('a restriction that has ended does not change the status or override the next signal', () => {
  const over = account('degraded', 1, NOW - 1)

  assert.equal(after([over]).status, 'active')
  assert.equal(after([over, number('active', 2)], { status: 'degraded' }).status, 'active')
})

test('the later of two names stays, in any order of arrival', () => {
  assert.equal(after([name('new', 2), name('old', 1)]).verifiedName, 'new')
  assert.equal(after([name('old', 1), name('new', 2)]).verifiedName, 'new')
})

test('the later of two usernames stays, in any order of arrival', () => {
  assert.equal(after([username(null, 2), username('old', 1)]).username, null)
  assert.equal(after([username('old', 1), username('new', 2)]).username, 'new')
})

test('signals lead to the same state in any order and with any repeats', () => {
  const signals = fc.uniqueArray(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('active', 'degraded', 'disconnected'), fc.nat(50))
        .map(([s, at]) => account(s as Status, at)),
      fc.tuple(fc.constantFrom('active', 'degraded'), fc.nat(50)).map(([s, at]) => number(s as Status, at)),
      fc.tuple(fc.string(), fc.nat(50)).map(([text, at]) => name(text, at)),
      fc.tuple(fc.option(fc.string()), fc.nat(50)).map(([text, at]) => username(text, at)),
    ),
    // Two signals of one kind and second have no order.
    { selector: (signal) => `${signal.about} ${signal.signaledAtSeconds}`, minLength: 1 },
  )
  const cases = signals.chain((sent) => {
    const repeats = fc.array(fc.constantFrom(...sent))
    const received = repeats.chain((more) =>
      fc.shuffledSubarray([...sent, ...more], { minLength: sent.length + more.length }),
    )
    return fc.tuple(fc.constant(sent), received)
  })

  fc.assert(
    fc.property(cases, ([sent, received]) => {
      const ordered = sent.toSorted((a, b) => a.signaledAtSeconds - b.signaledAtSeconds)
      assert.deepEqual(after(received), after(ordered))
    }),
    { numRuns: 500 },
  )
})

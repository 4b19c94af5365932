import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Heard, hear, type Word } from './words.ts'

const NOW = 1_790_000_000_000
const FOREVER = NOW * 2
const NOTHING: Heard = {
  status: 'active',
  verifiedName: null,
  accountWord: null,
  accountWordAt: 0,
  heldUntil: 0,
  numberWord: null,
  numberWordAt: 0,
  nameWordAt: 0,
}

type Status = 'active' | 'degraded' | 'disconnected'

const place = { organizationId: 'o', channelId: 'c' }
const account = (status: Status, saidAt: number, heldUntil = FOREVER): Word => {
  return { ...place, about: 'account', verdict: { status, reason: null }, saidAt, heldUntil }
}
const number = (status: Status, saidAt: number): Word => {
  return { ...place, about: 'number', verdict: { status, reason: null }, saidAt }
}
const name = (verifiedName: string, saidAt: number): Word => ({ ...place, about: 'name', verifiedName, saidAt })

function after(words: Word[], before: Partial<Heard> = {}): Heard {
  return words.reduce((heard, word) => hear(heard, word, NOW), { ...NOTHING, ...before })
}

test('a number that is well does not lift what was said of its account', () => {
  const words = [account('degraded', 1), number('degraded', 2), number('active', 3)]

  assert.equal(after(words).status, 'degraded')
  assert.equal(after([...words, account('active', 4)]).status, 'active')
})

test('an account that is well does not lift what was said of the number', () => {
  const words = [number('degraded', 1), account('degraded', 2), account('active', 3)]

  assert.equal(after(words).status, 'degraded')
  assert.equal(after([...words, number('active', 4)]).status, 'active')
})

test('a word on the number brings no disconnected channel back, and one on the account does', () => {
  for (const status of ['active', 'degraded'] as const) {
    assert.equal(after([number(status, 1)], { status: 'disconnected' }).status, 'disconnected')
  }
  assert.equal(after([account('active', 1)], { status: 'disconnected' }).status, 'active')
})

test('a restriction whose end has come is outlived by what is said next, and moves nothing itself', () => {
  const over = account('degraded', 1, NOW - 1)

  assert.equal(after([over]).status, 'active')
  assert.equal(after([over, number('active', 2)], { status: 'degraded' }).status, 'active')
})

test('of two names the later one stays, in whatever order they come', () => {
  assert.equal(after([name('new', 2), name('old', 1)]).verifiedName, 'new')
  assert.equal(after([name('old', 1), name('new', 2)]).verifiedName, 'new')
})

test('any words in any order and with any repeats end in the same', () => {
  const words = fc.uniqueArray(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('active', 'degraded', 'disconnected'), fc.nat(50))
        .map(([s, at]) => account(s as Status, at)),
      fc.tuple(fc.constantFrom('active', 'degraded'), fc.nat(50)).map(([s, at]) => number(s as Status, at)),
      fc.tuple(fc.string(), fc.nat(50)).map(([text, at]) => name(text, at)),
    ),
    // Two words of one second have no order.
    { selector: (word) => `${word.about} ${word.saidAt}`, minLength: 1 },
  )
  const cases = words.chain((told) => {
    const repeats = fc.array(fc.constantFrom(...told))
    const heard = repeats.chain((more) =>
      fc.shuffledSubarray([...told, ...more], { minLength: told.length + more.length }),
    )
    return fc.tuple(fc.constant(told), heard)
  })

  fc.assert(
    fc.property(cases, ([told, heard]) => {
      const ordered = told.toSorted((a, b) => a.saidAt - b.saidAt)
      assert.deepEqual(after(heard), after(ordered))
    }),
    { numRuns: 500 },
  )
})

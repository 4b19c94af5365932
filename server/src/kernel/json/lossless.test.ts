import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLossless } from './lossless.ts'

const CASES: [string, unknown][] = [
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['-9007199254740993', '-9007199254740993'],
  ['{"id":12345678901234567890}', { id: '12345678901234567890' }],
  ['[[1234567890123456789012]]', [['1234567890123456789012']]],
  [
    '{"cost":4.6,"big":1e300,"n":0,"text":"9007199254740993"}',
    { cost: 4.6, big: 1e300, n: 0, text: '9007199254740993' },
  ],
  ['null', null],
]

for (const [text, value] of CASES) {
  test(`${text} keeps every digit`, () => {
    assert.deepEqual(parseLossless(text), value)
  })
}

test('a property named __proto__ stays a property', () => {
  const value = parseLossless('{"__proto__":{"id":12345678901234567890}}') as object

  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.deepEqual(Object.getOwnPropertyDescriptor(value, '__proto__')?.value, { id: '12345678901234567890' })
})

test('invalid JSON throws', () => {
  assert.throws(() => parseLossless('{"id":'), SyntaxError)
})

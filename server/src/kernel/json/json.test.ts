import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringifyAscii } from './ascii.ts'
import { parseExact, toExactText } from './exact.ts'
import { parseLossless } from './lossless.ts'

test('characters beyond ASCII are escaped in lower case, and the rest is as JSON.stringify writes it', () => {
  assert.equal(
    stringifyAscii({ a: 'pão', b: ['🥖', '\u007f'], c: 'x/<y>' }),
    '{"a":"p\\u00e3o","b":["\\ud83e\\udd56","\\u007f"],"c":"x/<y>"}',
  )
  assert.equal(stringifyAscii({ ação: null, n: 1.5, t: true }), '{"a\\u00e7\\u00e3o":null,"n":1.5,"t":true}')
})

test('NUL and lone surrogates are kept', () => {
  const text = 'a\0b\ud83dc\udc4d'

  assert.equal(stringifyAscii(text), '"a\\u0000b\\ud83dc\\udc4d"')
  assert.equal(JSON.parse(stringifyAscii(text)), text)
})

test('any value becomes printable ASCII and parses to the same value', {
  rules: ['payload.composed-body-is-ascii'],
}, () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = stringifyAscii(value)

      assert.match(text, /^[\x20-\x7e]*$/)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
})

for (const source of ['90071992547409931234', '-0', '1.0', '1e400', '0.1000000000000000055', '12E-3']) {
  test(`the number ${source} is written as it was read`, () => {
    assert.equal(JSON.stringify(parseExact(`{"a":[${source}]}`)), `{"a":[${source}]}`)
  })
}

test('any JSON value is written as it was read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.equal(JSON.stringify(parseExact(text)), text)
    }),
  )
})

test('onText gets every string that is a value at any depth, and can replace it', () => {
  const exact = parseExact('{"a":"x","b":[{"c":"x"},"y"],"x":1}', (text) => text.replace('x', 'z'))

  assert.equal(JSON.stringify(exact), '{"a":"z","b":[{"c":"z"},"y"],"x":1}')
})

test('toExactText reads an id that is text or a number', () => {
  const { a, b, c } = parseExact('{"a":"007","b":90071992547409931234,"c":{}}') as Record<string, unknown>

  assert.deepEqual([toExactText(a), toExactText(b), toExactText(c)], ['007', '90071992547409931234', undefined])
})

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

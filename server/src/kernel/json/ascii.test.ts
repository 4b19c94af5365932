import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringifyAscii } from './ascii.ts'

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

test('any value becomes printable ASCII and parses to the same value', { rules: ['D10-30'] }, () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = stringifyAscii(value)

      assert.match(text, /^[\x20-\x7e]*$/)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExact, toExactText } from './exact.ts'

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

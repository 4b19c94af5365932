import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../errors.ts'
import { parseStrictJson } from './strict.ts'

function assertRefused(body: string | Buffer, reason: RegExp): void {
  assert.throws(
    () => parseStrictJson(Buffer.from(body)),
    (err) => err instanceof AppError && err.code === 'INVALID_REQUEST' && reason.test(err.message),
    String(body).slice(0, 80),
  )
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => key !== '__proto__' && isStorable(key) && isStorable(item))
}

test('any JSON value without forbidden content is returned unchanged', {
  rules: ['api.values-are-not-coerced'],
}, () => {
  const values = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 20 }).filter(isStorable)

  fc.assert(
    fc.property(values, (value) => {
      assert.deepEqual(parseStrictJson(Buffer.from(JSON.stringify(value))), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('any text is either valid JSON or an INVALID_REQUEST', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        parseStrictJson(Buffer.from(bytes))
      } catch (err) {
        assert.ok(err instanceof AppError && err.code === 'INVALID_REQUEST')
      }
    }),
  )
})

test('a body that is not JSON is refused', () => {
  for (const body of [' ', '{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '{"a":01}', '"a\tb"', '{} {}', '// x\n{}']) {
    assertRefused(body, /not valid JSON/)
  }
})

test('a body of 64 levels is accepted, and one of 65 is refused', { rules: ['api.body-size-is-limited'] }, () => {
  const deepest = parseStrictJson(Buffer.from(nested(64)))

  assert.equal(JSON.stringify(deepest), nested(64))
  assertRefused(nested(65), /nested deeper than 64 levels/)
  assertRefused(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, /nested deeper than 64 levels/)
})

test('the deepest possible nesting does not overflow the stack', () => {
  assertRefused(nested(19_000), /nested deeper than 64 levels/)
  assertRefused('['.repeat(19_000), /not valid JSON/)
  assertRefused(nested(500_000), /more than 20000 values/)
})

test('a NUL character is refused in a value and in a key, however deep', {
  rules: ['api.unusable-text-is-400'],
}, () => {
  for (const body of ['"\\u0000"', '{"a":"x\\u0000y"}', '{"a\\u0000":1}', '[[{"a":["\\u0000"]}]]']) {
    assertRefused(body, /NUL character/)
  }
})

test('a lone surrogate is refused in a value and in a key, and a pair is accepted', {
  rules: ['api.unusable-text-is-400'],
}, () => {
  for (const body of ['"\\ud800"', '{"a":"\\udc00x"}', '{"\\ud83d":1}', '["\\ude00\\ud83d"]']) {
    assertRefused(body, /half of a surrogate pair/)
  }
  assert.deepEqual(parseStrictJson(Buffer.from('{"a":"\\ud83d\\ude00"}')), { a: '\u{1f600}' })
})

test('a key that changes the prototype is refused in any notation', { rules: ['api.unusable-text-is-400'] }, () => {
  for (const body of ['{"__proto__":{}}', '{"a":[{"__proto__":null}]}', '{"\\u005f_proto__":1}']) {
    assertRefused(body, /forbidden property name: __proto__/)
  }
  assertRefused('{"a":{"constructor":{"prototype":{"x":1}}}}', /forbidden property name: constructor/)
})

test('constructor and prototype alone are ordinary keys', () => {
  const body = '{"constructor":"x","prototype":{"a":1},"toString":2}'

  const parsed = parseStrictJson(Buffer.from(body))

  assert.equal(JSON.stringify(parsed), body)
})

test('a number that would be rounded is refused at any depth', () => {
  for (const body of [
    '9007199254740992',
    '{"a":12345678901234567890}',
    '[1,-9007199254740993]',
    '[1e400]',
    '9007199254740993.0',
    '{"a":9.007199254740993e15}',
    '[90071992547409930e-1]',
    '-1E+309',
  ]) {
    assertRefused(body, /number that would be rounded/)
  }
  assertRefused(`{"a":"x",\n"b": ${'9'.repeat(400)}}`, /number that would be rounded: 9{40}\./)
})

test('the largest exact integer, digits in a text and fractions of any length are accepted', () => {
  for (const body of [
    '9007199254740991',
    '{"a":"12345678901234567890, 1e400"}',
    '[-23.5505200000000000001,1.5e10,1e-400,9007199254740990e-3]',
    '{"a":"x: 12345678901234567890","b":0.1}',
  ]) {
    assert.deepEqual(parseStrictJson(Buffer.from(body)), JSON.parse(body))
  }
})

test('a duplicate property is refused at any depth and in any notation', () => {
  for (const body of [
    '{"a":1,"a":2}',
    '[{"b":{"a":1,"\\u0061":1}}]',
    '{"a" : {}, "b":[], "a"\n:null}',
    '{"":1,"":1}',
  ]) {
    assertRefused(body, /property twice/)
  }
})

test('the same property in two objects, and texts that look like keys, are accepted', () => {
  for (const body of [
    '[{"a":1},{"a":1}]',
    '{"a":{"a":"\\"a\\":"},"b":"x\\\\","c":"{\\"a\\":1,\\"a\\":2}"}',
    '["a",":"]',
  ]) {
    assert.deepEqual(parseStrictJson(Buffer.from(body)), JSON.parse(body))
  }
})

test('bytes that are not UTF-8 are refused', { rules: ['api.unusable-text-is-400'] }, () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80]]) {
    assertRefused(Buffer.from([0x22, ...bytes, 0x22]), /not valid UTF-8/)
  }
})

// RFC 8259 lets a receiver ignore it, and some clients always send it.
test('a byte order mark before the body is ignored, and one inside a text is kept', () => {
  const body = Buffer.from('\ufeff{"a":"\ufeffb"}')

  const parsed = parseStrictJson(body)

  assert.deepEqual(parsed, { a: '\ufeffb' })
})

test('the largest bodies of small values are read, and a duplicate or a rounded number at their end is refused', () => {
  const properties = Array.from({ length: 19_000 }, (_, i) => `"k${i}":"\\"${i}:"`).join(',')
  const numbers = '1e1,-2.5,'.repeat(9_000)

  assert.equal(Object.keys(parseStrictJson(Buffer.from(`{${properties}}`)) as object).length, 19_000)
  assertRefused(`{${properties},"k0":1}`, /property twice/)
  assert.equal((parseStrictJson(Buffer.from(`[${numbers}0]`)) as unknown[]).length, 18_001)
  assertRefused(`[${numbers}1e16]`, /would be rounded: 1e16/)
})

test('a body of 20,000 values is accepted, and one with more is refused before it is parsed', () => {
  const many = (count: number) => `[${'1,'.repeat(count - 1)}1]`
  const text = JSON.stringify([',[{'.repeat(50_000)])

  assert.equal((parseStrictJson(Buffer.from(many(20_000))) as unknown[]).length, 20_000)
  assert.deepEqual(parseStrictJson(Buffer.from(text)), JSON.parse(text))
  for (const body of [many(20_001), '[],'.repeat(20_001), '{"a":'.repeat(20_001)]) {
    assertRefused(body, /more than 20000 values/)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson, toAsciiJson } from './json.ts'

test('non-ASCII text, slashes and control characters are escaped, and parsing restores them', () => {
  const value = { 'ação/é': 'Olá 🥖 \u0000 "x" \\ </script>', list: [1, null, true, undefined], none: undefined }

  const text = toAsciiJson(value)

  assert.match(text, /^[\x20-\x7e]+$/)
  assert.ok(text.includes('a\\u00e7\\u00e3o\\/\\u00e9'))
  assert.deepEqual(JSON.parse(text), { 'ação/é': value['ação/é'], list: [1, null, true, null] })
})

test('integers above 2^53 are serialized exactly', () => {
  assert.equal(toAsciiJson({ id: 90071992547409931n }), '{"id":90071992547409931}')
})

test('malformed JSON parses to undefined', () => {
  assert.equal(parseJson('{"a":'), undefined)
})

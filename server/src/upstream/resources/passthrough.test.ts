import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPassthroughReader } from './passthrough.ts'

const TOKEN = 'EAAplantedtoken1234567890'

function passed(text: string) {
  return createPassthroughReader([TOKEN])(JSON.parse(text), text)
}

test('a secret is redacted in values, even if escaped, in names and in duplicate members', () => {
  for (const text of [
    `{"next":"https://x/?access_token=${TOKEN}"}`,
    `{"a":["\\u0045AAplantedtoken1234567890"]}`,
    `{"${TOKEN}":1}`,
    `{"id":"${TOKEN}","id":"2"}`,
  ]) {
    const { text: shown = '' } = passed(text) ?? {}
    assert.ok(shown.includes('[redacted]') || shown === '{"id":"2"}', shown)
    assert.ok(!shown.includes(TOKEN) && !shown.includes('\\u0045'), shown)
  }
})

test('a response without a secret is forwarded byte for byte', () => {
  const text = '{ "id": 12345678901234567890, "n": 1.0, "a": "\\u00e9" }'

  assert.equal(passed(text)?.text, text)
})

test('a response that is not an object or is nested too deeply is unreadable', () => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`

  assert.equal(passed('[1]'), undefined)
  assert.equal(createPassthroughReader([TOKEN])({}, deep), undefined)
})

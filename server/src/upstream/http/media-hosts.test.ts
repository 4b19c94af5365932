import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMediaHost } from './media-hosts.ts'

for (const [origin, isOne] of [
  ['https://lookaside.fbsbx.com', true],
  ['https://lookaside.fbsbx.com:443', true],
  ['https://cdn.fbsbx.com', true],
  ['https://LOOKASIDE.FBSBX.COM', true],
  ['http://lookaside.fbsbx.com', false],
  ['https://lookaside.fbsbx.com:8443', false],
  ['https://lookaside.fbsbx.com.', false],
  ['https://lookaside.fbsbx.com.example.com', false],
  ['https://evilfbsbx.com', false],
  ['https://fbsbx.com.br', false],
  ['https://fbsbx.com@example.com', false],
  ['https://127.0.0.1', false],
  ['null', false],
] as const) {
  test(`the token of a channel ${isOne ? 'may' : 'must not'} go to ${origin} for a file`, () => {
    assert.equal(isMediaHost(origin), isOne)
  })
}

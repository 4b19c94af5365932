import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseSignInSearch } from './search.ts'

const ORIGIN = 'https://hub.example'

test('a sign-in leads back to the page that was asked for', () => {
  for (const return_to of ['/', '/messages?status=failed', '/channels/01a1e042#top']) {
    assert.deepEqual(parseSignInSearch({ return_to }), { return_to })
  }
})

test('a sign-in never leads to another site', () => {
  const parts = fc.constantFrom('/', '\\', '\t', '\n', '\r', ' ', 'evil.example', 'https:', '@', '.', '%2f')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), (address) => {
      const { return_to } = parseSignInSearch({ return_to: address.join('') })
      if (return_to !== undefined) assert.equal(new URL(return_to, ORIGIN).origin, ORIGIN)
    }),
    { numRuns: 2000 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersType } from './accept.ts'

const prefersCsv = (accept: string | undefined) => prefersType(accept, 'text/csv', 'application/json')

test('a header that prefers a type gets it, and one that prefers neither gets the other', () => {
  for (const accept of [
    'text/csv',
    'TEXT/CSV; charset=utf-8',
    'text/*',
    'application/json;q=0.5, text/csv',
    'text/csv, */*;q=0.1',
  ])
    assert.equal(prefersCsv(accept), true, accept)
  for (const accept of [undefined, '', '*/*', 'application/json', 'text/csv, application/json', 'text/csv;q=0.2, */*'])
    assert.equal(prefersCsv(accept), false, String(accept))
  for (const accept of ['image/png', 'text/csv;q=0', ',;,', 'text/html'])
    assert.equal(prefersCsv(accept), false, accept)
})

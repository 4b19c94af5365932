import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDetailSearch, parseListSearch } from './search.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'

test('an address keeps the filters of the deliveries, the open delivery and its attempt', () => {
  const given = { status: 'retry', event: 'message.received', http: 'none', open: ID, attempt: 3 }

  assert.deepEqual(parseDetailSearch(given), given)
})

test('values that the page does not offer are left out', () => {
  const given = { status: 'lost', event: 'Message Received', http: '6xx', open: 'x', attempt: '3' }

  assert.deepEqual(parseDetailSearch(given), {})
  assert.deepEqual(parseListSearch({ status: 'retry', dialog: 'edit' }), {})
  assert.deepEqual(parseListSearch({ status: 'paused', dialog: 'create' }), { status: 'paused', dialog: 'create' })
})

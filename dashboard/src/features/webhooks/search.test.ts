import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDetailSearch, parseListSearch, toDeliveryFilters } from './search.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'

test('an address keeps the filters of the deliveries, the open delivery and its attempt', () => {
  const given = { status: 'retry', event: 'message.received', http: 'none', open: ID, attempt: 3 }

  assert.deepEqual(parseDetailSearch(given), given)
  for (const one of [{ http: 404 }, { channel_id: ID }, { date: '7d' }]) assert.deepEqual(parseDetailSearch(one), one)
})

test('values that the page does not offer are left out', () => {
  const given = {
    status: 'lost',
    event: 'Message Received',
    http: 600,
    channel_id: 1,
    date: 'soon',
    open: 'x',
    attempt: '3',
  }

  assert.deepEqual(parseDetailSearch(given), {})
  assert.deepEqual(parseListSearch({ status: 'retry', dialog: 'edit' }), {})
  assert.deepEqual(parseListSearch({ status: 'paused', dialog: 'create' }), { status: 'paused', dialog: 'create' })
})

test('the hub gets a code as text and a period as times, and not which delivery is open', () => {
  const filters = toDeliveryFilters(
    { http: 404, date: '24h', open: ID, attempt: 2 },
    new Date('2026-11-17T14:30:00.000Z'),
  )

  assert.deepEqual(filters, { http_status: '404', since: '2026-11-16T14:30:00.000Z' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from '@hubline/sdk/console'
import type { DetailSearch } from '../search.ts'
import { filterDeliveries } from './filter-deliveries.ts'

function delivery(id: string, more: Partial<Delivery>): Delivery {
  return { id, status: 'succeeded', event: 'message.received', last_http_status: 200, attempts: 1, ...more } as Delivery
}

const DELIVERIES = [
  delivery('a', {}),
  delivery('b', { status: 'retry', last_http_status: 503 }),
  delivery('c', { status: 'retry', last_http_status: null }),
  delivery('d', { status: 'pending', last_http_status: null, attempts: 0, event: 'channel.connected' }),
  delivery('e', { last_http_status: 299 }),
]

test('a delivery is found by its status, its event and the class of its last response', () => {
  const rows: [DetailSearch, string][] = [
    [{}, 'abcde'],
    [{ status: 'retry' }, 'bc'],
    [{ event: 'channel.connected' }, 'd'],
    [{ http: '2xx' }, 'ae'],
    [{ http: '5xx', status: 'retry' }, 'b'],
    [{ http: '4xx' }, ''],
    [{ open: 'a', attempt: 2 }, 'abcde'],
  ]
  for (const [search, ids] of rows) {
    const found = filterDeliveries(DELIVERIES, search).map(({ id }) => id)
    assert.equal(found.join(''), ids, JSON.stringify(search))
  }
})

test('a delivery that was not tried yet did not fail to get a response', () => {
  assert.deepEqual(
    filterDeliveries(DELIVERIES, { http: 'none' }).map(({ id }) => id),
    ['c'],
  )
})

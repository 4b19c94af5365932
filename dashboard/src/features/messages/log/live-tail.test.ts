import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleMessage } from '@hubline/sdk/console'
import { addArrivals, findArrivals, joinArrivals, type Log, NO_ARRIVALS, updateRows } from './live-tail.ts'

function message(id: string, status = 'sent', updated_at = '1'): ConsoleMessage {
  return { id, status, updated_at } as ConsoleMessage
}

function page(ids: string[], nextCursor: string | null = null) {
  return { items: ids.map((id) => message(id)), nextCursor }
}

function listIds({ pages }: Log): string[] {
  return pages.flatMap(({ items }) => items.map(({ id }) => id))
}

const LOG: Log = { pages: [page(['6', '4'], 'c'), page(['2'])], pageParams: [undefined, 'c'] }

test('new rows take their place by their ids, once', () => {
  const found = joinArrivals(
    findArrivals(LOG, page(['7', '6'], 'x')),
    findArrivals(LOG, page(['8', '7', '6', '5'], 'x')),
  )

  assert.deepEqual(found.rows.map(({ id }) => id).sort(), ['5', '7', '8'])
  assert.equal(found.replacement, undefined)
  assert.deepEqual(listIds(addArrivals(LOG, found)), ['8', '7', '6', '5', '4', '2'])
})

test('a first page of nothing but new rows takes the place of the log, since others may be between them', () => {
  const found = joinArrivals(NO_ARRIVALS, findArrivals(LOG, page(['9', '8'], 'x')))

  assert.deepEqual(addArrivals(LOG, found), { pages: [page(['9', '8'], 'x')], pageParams: [undefined] })
})

test('a row gets its latest status, and an older answer does not bring the former one back', () => {
  const read = updateRows(LOG, [message('4', 'read', '3')])

  assert.equal(read.pages[0]?.items[1]?.status, 'read')
  assert.equal(read.pages[1], LOG.pages[1])
  assert.equal(updateRows(read, [message('4', 'delivered', '2')]).pages[0]?.items[1]?.status, 'read')
})

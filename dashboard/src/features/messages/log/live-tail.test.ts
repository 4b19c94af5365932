import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleMessage } from '@hubline/sdk/console'
import fc from 'fast-check'
import {
  addArrivals,
  findArrivals,
  joinArrivals,
  type Log,
  type LogPage,
  NO_ARRIVALS,
  updateRows,
} from './live-tail.ts'

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

test('rows that the next page brings are no arrivals', () => {
  const log: Log = { pages: [page(['6', '5', '4'], '4')], pageParams: [undefined] }

  // 5 has another status than the filter now, so that 3 moved up to the first page.
  const found = findArrivals(log, page(['7', '6', '4', '3'], '3'))

  assert.deepEqual(
    found.rows.map(({ id }) => id),
    ['7'],
  )
})

test('a row that comes late to the filter stands on the page of its neighbors', () => {
  const log: Log = { pages: [page(['9', '8'], '8'), page(['6', '4'], '4')], pageParams: [undefined, '8'] }

  const found = findArrivals(log, page(['9', '8', '7', '6', '5', '4'], '4'))

  assert.deepEqual(listIds(addArrivals(log, found)), ['9', '8', '7', '6', '5', '4'])
})

test('a look that reaches the list again makes a replacement unnecessary', () => {
  const gap = findArrivals(LOG, page(['9', '8'], '8'))
  const found = joinArrivals(gap, findArrivals(LOG, page(['a', '9', '6'], '6')))

  assert.deepEqual(listIds(addArrivals(LOG, found)), ['a', '9', '8', '6', '4', '2'])
})

const PAGE_LENGTH = 3

/** A hub with messages that come into a filter and leave it, and a page that shows them as `useMessageLog` does. */
function startLog() {
  const matching = new Set<string>()
  let created = 0
  let log: Log = { pages: [], pageParams: [] }
  let arrivals = NO_ARRIVALS

  function readPage(cursor?: string): LogPage {
    const ids = [...matching].filter((id) => cursor === undefined || id < cursor).toSorted((a, b) => (a < b ? 1 : -1))
    const shown = ids.slice(0, PAGE_LENGTH)
    return page(shown, ids.length > PAGE_LENGTH ? shown.at(-1)! : null)
  }
  const toId = (number: number) => String(number).padStart(4, '0')
  const acts = {
    open() {
      log = { pages: [readPage()], pageParams: [undefined] }
    },
    create: () => void matching.add(toId(++created)),
    /** A message gets the status of the filter, or another one. */
    change(number: number) {
      const id = toId((number % Math.max(1, created)) + 1)
      if (!matching.delete(id)) matching.add(id)
    },
    loadMore() {
      const cursor = log.pages.at(-1)?.nextCursor
      if (cursor != null) log = { pages: [...log.pages, readPage(cursor)], pageParams: [...log.pageParams, cursor] }
    },
    look() {
      const found = findArrivals(log, readPage())
      if (found.rows.length > 0) arrivals = joinArrivals(arrivals, found)
    },
    release() {
      log = addArrivals(log, arrivals)
      arrivals = NO_ARRIVALS
    },
  }
  return { ...acts, matching, getLog: () => log, getArrivals: () => arrivals }
}

const acts = fc.oneof(
  fc.constantFrom(...(['create', 'loadMore', 'look', 'release'] as const)).map((name) => ({ name, number: 0 })),
  fc.nat({ max: 50 }).map((number) => ({ name: 'change' as const, number })),
)

test('after any sequence of changes and looks, the log is in its order and has no message twice', () => {
  fc.assert(
    fc.property(fc.nat({ max: 9 }), fc.array(acts, { maxLength: 40 }), (before, list) => {
      const shown = startLog()
      for (let count = 0; count < before; count++) shown.create()
      shown.open()
      for (const { name, number } of list) {
        shown[name](number)
        const ids = listIds(shown.getLog())
        assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed())
      }
    }),
    { numRuns: 1000 },
  )
})

test('messages that only arrive are all shown after a look and a release, down to the last loaded page', () => {
  const arriving = acts.filter(({ name }) => name !== 'change')
  fc.assert(
    fc.property(fc.nat({ max: 9 }), fc.array(arriving, { maxLength: 40 }), (before, list) => {
      const shown = startLog()
      for (let count = 0; count < before; count++) shown.create()
      shown.open()
      for (const { name, number } of [...list, { name: 'look', number: 0 }, { name: 'release', number: 0 }] as const) {
        shown[name](number)
      }
      const ids = listIds(shown.getLog())
      const isWhole = shown.getLog().pages.at(-1)?.nextCursor === null
      const due = [...shown.matching].filter((id) => isWhole || id >= ids.at(-1)!)
      assert.deepEqual(ids, due.toSorted().toReversed())
    }),
    { numRuns: 1000 },
  )
})

test('arrivals that are added again change nothing', () => {
  const found = findArrivals(LOG, page(['8', '7', '6', '5'], 'x'))
  const once = addArrivals(LOG, found)

  assert.deepEqual(addArrivals(once, found), once)
  assert.deepEqual(joinArrivals(found, found), found)
})

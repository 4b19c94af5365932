import assert from 'node:assert/strict'
import { test } from 'node:test'
import { List, type Page } from './pages.ts'

const PAGES: Record<string, Page<number>> = {
  first: { items: [1, 2], nextCursor: 'second' },
  second: { items: [], nextCursor: 'third' },
  third: { items: [3], nextCursor: null },
}

function list(pages: Record<string, Page<number>>) {
  const read: (string | undefined)[] = []
  const numbers = new List(async (cursor) => {
    read.push(cursor)
    const page = pages[cursor ?? 'first']
    if (!page) throw new Error('There is no such page')
    return page
  })
  return { numbers, read }
}

test('a list yields the items of every page, empty pages among them', async () => {
  const { numbers, read } = list(PAGES)

  assert.deepEqual(await numbers.toArray(), [1, 2, 3])
  assert.deepEqual(read, [undefined, 'second', 'third'])
})

test('a list reads no page that is not needed', async () => {
  const { numbers, read } = list(PAGES)

  for await (const number of numbers) if (number === 2) break

  assert.deepEqual(read, [undefined])
})

test('the first page of a list is read alone', async () => {
  const { numbers, read } = list(PAGES)

  assert.deepEqual(await numbers.firstPage(), PAGES.first)
  assert.deepEqual(read, [undefined])
})

test('a list that is iterated again is read again', async () => {
  const { numbers } = list(PAGES)

  assert.deepEqual(await numbers.toArray(), await numbers.toArray())
})

test('a list shows its pages with their cursors', async () => {
  const { numbers } = list(PAGES)
  const cursors: (string | null)[] = []

  for await (const { nextCursor } of numbers.pages()) cursors.push(nextCursor)

  assert.deepEqual(cursors, ['second', 'third', null])
})

test('a page that names itself as the next one ends the list', async () => {
  const { numbers, read } = list({ first: { items: [1], nextCursor: 'x' }, x: { items: [2], nextCursor: 'x' } })

  assert.deepEqual(await numbers.toArray(), [1, 2])
  assert.deepEqual(read, [undefined, 'x'])
})

test('a page that fails ends the list with its error', async () => {
  const { numbers } = list({ first: { items: [1], nextCursor: 'lost' } })

  await assert.rejects(numbers.toArray(), /no such page/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conversation } from '@hubline/sdk/console'
import { type Chat, countToRead, EVERY, mergeChat, mergeRows, prependMessages } from './merge.ts'

function read(ids: string[], status = 'sent'): Conversation {
  return { customers: [], messages: ids.map((id) => ({ id, status })) } as unknown as Conversation
}

function chat(ids: string[], hasEarlier = false): Chat {
  return { ...read(ids), hasEarlier }
}

function list({ messages }: Chat): string {
  return messages.map(({ id, status }) => `${id} ${status}`).join(', ')
}

test('what is read again keeps its place, with its latest status', () => {
  const merged = mergeChat(chat(['a', 'b', 'c']), read(['b', 'c', 'd'], 'read'), 3)

  assert.equal(list(merged), 'a sent, b read, c read, d read')
})

test('a chat of which messages were missed begins again with the newest', () => {
  const merged = mergeChat(chat(['a', 'b']), read(['x', 'y']), 2)

  assert.deepEqual([list(merged), merged.hasEarlier], ['x sent, y sent', true])
})

test('a new chat has no gap', () => {
  assert.equal(mergeChat(chat([]), read(['a']), 2).hasEarlier, false)
})

test('earlier messages stand before the others, until there are no more', () => {
  const first = prependMessages(chat(['c', 'd'], true), read(['a', 'b']).messages, 2)
  const last = prependMessages(first, [], 2)

  assert.deepEqual([list(first), first.hasEarlier], ['a sent, b sent, c sent, d sent', true])
  assert.deepEqual([list(last), last.hasEarlier], [list(first), false])
})

test('rows are newest first, and the oldest fall off', () => {
  const merged = mergeRows(
    [
      { id: '2', n: 0 },
      { id: '1', n: 0 },
    ],
    [
      { id: '3', n: 1 },
      { id: '2', n: 1 },
    ],
    2,
  )

  assert.deepEqual(merged, [
    { id: '3', n: 1 },
    { id: '2', n: 1 },
  ])
})

test('only a change further down leads to a look at all rows', () => {
  const known = [{ id: '3' }, { id: '2' }, { id: '1' }]
  const lengths = { head: 2, whole: 9 }

  assert.deepEqual(
    [undefined, known, known, known].map((rows, n) =>
      countToRead(rows, new Set([['3'], ['3'], ['1'], [EVERY]][n]), lengths),
    ),
    [9, 2, 9, 9],
  )
})

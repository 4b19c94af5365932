import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid, newId } from './ids.ts'

test('an id is a UUIDv7 whose first 48 bits are the millisecond of its creation', {
  rules: ['api.ids-are-uuidv7'],
}, () => {
  const now = new Date('2026-03-04T05:06:07.089Z')

  const id = newId(now)

  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), now.getTime())
})

test('ids sort by the time of their creation', () => {
  const times = [1, 999, 1_700_000_000_000, 1_700_000_000_001, 9_999_999_999_999]

  const ids = times.map((ms) => newId(new Date(ms)))

  assert.deepEqual([...ids].sort(), ids)
})

test('ids of one millisecond sort in the order in which the process created them', () => {
  const now = new Date()

  const ids = Array.from({ length: 5000 }, () => newId(now))

  assert.deepEqual([...ids].sort(), ids)
})

test('two ids of one millisecond differ', () => {
  const now = new Date()

  const ids = Array.from({ length: 1000 }, () => newId(now))

  assert.equal(new Set(ids).size, ids.length)
})

test('isUuid accepts a UUID in any case and no other text', () => {
  const uuids = [newId(), newId().toUpperCase(), '00000000-0000-0000-0000-000000000000']
  const others = ['', 'x', `${newId()} `, `{${newId()}}`, newId().replaceAll('-', ''), `${newId()}\n`, newId().slice(1)]

  const answers = [...uuids, ...others].map(isUuid)

  assert.deepEqual(answers, [...uuids.map(() => true), ...others.map(() => false)])
})

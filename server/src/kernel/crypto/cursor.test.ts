import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../errors.ts'
import { createCursors } from './cursor.ts'

const key = randomBytes(32)
const cursors = createCursors(() => key)
const LIST = ['organization', 'audit', { action: null }]

function assertRefused(cursor: string, list: readonly unknown[] = LIST): void {
  assert.throws(
    () => cursors.decode(cursor, list),
    (err) =>
      err instanceof AppError && err.code === 'INVALID_REQUEST' && JSON.stringify(err.details).includes('/cursor'),
    cursor,
  )
}

test('a cursor decodes to its position for the list that it came from', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (position) => {
      assert.equal(cursors.decode(cursors.encode(position, LIST), LIST), position)
    }),
  )
})

test('a cursor is safe in a URL', () => {
  const cursor = cursors.encode('0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', LIST)

  assert.equal(encodeURIComponent(cursor), cursor)
})

test('a cursor of another organization, list or filter is refused', () => {
  const cursor = cursors.encode('position', LIST)

  assertRefused(cursor, ['other organization', 'audit', { action: null }])
  assertRefused(cursor, ['organization', 'messages', { action: null }])
  assertRefused(cursor, ['organization', 'audit', { action: 'api_key.created' }])
  assertRefused(cursor, ['organization', 'audit'])
  assertRefused(cursor, [...LIST, null])
})

test('a cursor with one character changed is refused', () => {
  const cursor = cursors.encode('position', LIST)

  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === 'A' ? 'B' : 'A'
    assertRefused(cursor.slice(0, index) + other + cursor.slice(index + 1))
  }
})

test('a cursor that was cut, extended or encoded otherwise is refused', () => {
  const cursor = cursors.encode('position', LIST)

  for (const other of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, `${cursor}!`]) {
    assertRefused(other)
  }
})

test('a text that is not a cursor is refused', { rules: ['api.cursor-is-opaque'] }, () => {
  for (const cursor of ['', 'A', 'null', 'A'.repeat(22), '\u{1f511}', randomBytes(40).toString('base64url')]) {
    assertRefused(cursor)
  }
})

test('a cursor encrypted with another key is refused', { rules: ['api.cursor-is-opaque'] }, () => {
  const foreign = createCursors(() => randomBytes(32))

  assertRefused(foreign.encode('position', LIST))
})

test('a cursor hides its position, and two cursors for one position differ', {
  rules: ['api.cursor-is-opaque'],
}, () => {
  const position = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

  const [first, second] = [cursors.encode(position, LIST), cursors.encode(position, LIST)]

  assert.notEqual(first, second)
  const [bytes, digits] = [Buffer.from(first, 'base64url'), position.replaceAll('-', '')]
  for (const form of [position, digits, Buffer.from(digits, 'hex')]) assert.ok(!bytes.includes(form))
})

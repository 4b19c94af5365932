import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDevelopersSearch, readUuid, toFilters } from './search.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'
const NOW = new Date('2026-11-17T14:30:59.999Z')

test('a status is a class or a code, which the router reads as a number', () => {
  const rows = [
    ['4xx', '4xx'],
    [404, '404'],
    ['404', '404'],
    [0, undefined],
    [600, undefined],
    ['40', undefined],
    ['4xx ', undefined],
    [null, undefined],
    [{ toString: 0 }, undefined],
  ] as const
  for (const [given, status] of rows) assert.equal(parseDevelopersSearch({ status: given }).status, status)
})

test('a request id is found as a person pastes it', () => {
  assert.equal(readUuid(` ${ID.toUpperCase()}\n`), ID)
  for (const text of [`${ID}0`, ID.slice(1), '', 7]) assert.equal(readUuid(text), undefined)
})

test('values shown beside the log are no filters of it', () => {
  const search = parseDevelopersSearch({ tab: 'events', open: 12, kind: 'webhook.test', mode: 'upstream_raw' })

  assert.deepEqual(search, { tab: 'events', open: 12, kind: 'webhook.test', mode: 'upstream_raw' })
  assert.deepEqual(toFilters(search, NOW), {})
})

test('a period ends at the last whole minute, so that the same filter is the same query for a while', () => {
  assert.deepEqual(toFilters({ method: 'POST', date: '24h' }, NOW), {
    method: 'POST',
    since: '2026-11-16T14:30:00.000Z',
  })
})

test('the number of a request is a whole number from one', () => {
  for (const open of [0, -1, 1.5, '1', Number.MAX_SAFE_INTEGER + 1])
    assert.deepEqual(parseDevelopersSearch({ open }), {})
})

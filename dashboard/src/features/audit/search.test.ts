import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAuditSearch, toQuery } from './search.ts'

const NOW = new Date('2026-11-17T14:59:59.999Z')

test('a length of time ends at the last whole hour, so that the same filter is the same query for a while', () => {
  const rows = [
    ['day', '2026-11-16T14:00:00.000Z'],
    ['week', '2026-11-10T14:00:00.000Z'],
    ['month', '2026-10-18T14:00:00.000Z'],
  ] as const
  for (const [since, moment] of rows) assert.deepEqual(toQuery({ since }, NOW), { since: moment })
})

test('the open entry is no filter', () => {
  const search = parseAuditSearch({ action: 'api_key.created', open: '01a1e042', since: '', actor_id: 7 })

  assert.deepEqual(search, { action: 'api_key.created', open: '01a1e042' })
  assert.deepEqual(toQuery(search, NOW), { action: 'api_key.created' })
})

test('a length of time that the page does not offer is left out', () => {
  for (const since of ['year', 'constructor', 'toString', 7]) assert.deepEqual(parseAuditSearch({ since }), {})
})

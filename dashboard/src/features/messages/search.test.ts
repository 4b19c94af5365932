import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessageSearch, parseSubject, toFilters } from './search.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'

test('a search means a message or a person by the form of what is typed', () => {
  assert.deepEqual(parseSubject(` ${ID} `), { id: ID })
  assert.deepEqual(parseSubject('wamid.HBgNNTU='), { id: 'wamid.HBgNNTU=' })
  assert.deepEqual(parseSubject('+55 (11) 95550-0199'), { person: 5511955500199 })
  assert.deepEqual(parseSubject('BR.1349120865'), { person: 'BR.1349120865' })
  assert.deepEqual(parseSubject('0055 11 95550-0199'), { person: 5511955500199 })
  for (const text of ['Bruno', '123', '', 'wamid.', '0000000']) assert.deepEqual(parseSubject(text), {})
})

test('an address keeps the filters that the hub takes, and nothing else', () => {
  const given = { status: 'failed', error_code: 131047, person: 5511955500199, open: ID, date: 'today' }

  assert.deepEqual(parseMessageSearch(given), given)
  assert.deepEqual(parseMessageSearch({ status: 'lost', error_code: '1', person: 'Bruno', open: 'x', text: 'Oi' }), {})
})

test('the hub gets a phone number as text and a period as times, and not which message is open', () => {
  const search = { status: 'failed', person: 5511955500199, date: '24h', open: ID } as const

  assert.deepEqual(toFilters(search, new Date('2026-11-17T14:30:00.000Z')), {
    status: 'failed',
    person: '5511955500199',
    since: '2026-11-16T14:30:00.000Z',
  })
})

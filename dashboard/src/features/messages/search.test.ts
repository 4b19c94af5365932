import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessageSearch, parseSubject, toFilters, writeSubject } from './search.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'

test('a search means a message or a person by the form of what is typed', () => {
  assert.deepEqual(parseSubject(` ${ID} `), { id: ID })
  assert.deepEqual(parseSubject('wamid.HBgNNTU='), { id: 'wamid.HBgNNTU=' })
  assert.deepEqual(parseSubject('+55 (11) 95550-0199'), { person: 5511955500199 })
  assert.deepEqual(parseSubject('BR.1349120865'), { person: 'BR.1349120865' })
  assert.deepEqual(parseSubject('0055 11 95550-0199'), { person: 5511955500199 })
  for (const text of ['B', '12', '', 'wamid.', '+0199', '0000000']) assert.deepEqual(parseSubject(text), {}, text)
})

test('a search without a country code means the end of a number, and letters mean a name or a username', () => {
  assert.deepEqual(parseSubject('5550-0199'), { number_end: 55500199 })
  assert.deepEqual(parseSubject('(11) 95550-0199'), { number_end: 11955500199 })
  assert.deepEqual(parseSubject('0199'), { number_end: '0199' })
  assert.deepEqual(parseSubject('5511955500199'), { person: 5511955500199 })
  assert.deepEqual(parseSubject(' João S '), { name: 'João S' })
  assert.deepEqual(parseSubject('@bia.lima'), { name: 'bia.lima' })
})

test('a search is shown as a person would write it', () => {
  assert.equal(writeSubject({ person: 5511955500199 }), '+55 11 95550-0199')
  assert.equal(writeSubject({ number_end: '0199' }), '0199')
  assert.equal(writeSubject({ name: 'João S' }), 'João S')
  assert.equal(writeSubject({}), undefined)
})

test('an address keeps the filters that the hub takes, and nothing else', () => {
  const given = { status: 'failed', error_code: 131047, person: 5511955500199, open: ID, date: 'today' }

  assert.deepEqual(parseMessageSearch(given), given)
  for (const one of [{ name: 'Bruno' }, { number_end: '0199' }, { number_end: 1990 }, { person: 14155550100 }]) {
    assert.deepEqual(parseMessageSearch(one), one)
  }
  assert.deepEqual(
    parseMessageSearch({ status: 'lost', error_code: '1', person: 'Bruno', number_end: 19, open: 'x' }),
    {},
  )
})

test('an address keeps the statuses that exist, in one order', () => {
  assert.deepEqual(parseMessageSearch({ status: 'failed,lost,unknown' }), { status: 'unknown,failed' })
  assert.deepEqual(parseMessageSearch({ status: 'failed' }), { status: 'failed' })
  for (const status of ['lost', ',', 7, ['failed'], {}])
    assert.deepEqual(parseMessageSearch({ status }), {}, `${status}`)
})

test('the hub gets a phone number as text and a period as times, and not which message is open', () => {
  assert.deepEqual(toFilters({ number_end: 1990 }, new Date()), { number_end: '1990' })
  const search = { status: 'failed', person: 5511955500199, date: '24h', open: ID } as const

  assert.deepEqual(toFilters(search, new Date('2026-11-17T14:30:00.000Z')), {
    status: 'failed',
    person: '5511955500199',
    since: '2026-11-16T14:30:00.000Z',
  })
})

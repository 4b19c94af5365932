import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessageSearch, parseSubject } from './search.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'

test('a search means a message or a person by the form of what is typed', () => {
  assert.deepEqual(parseSubject(` ${ID} `), { id: ID })
  assert.deepEqual(parseSubject('wamid.HBgNNTU='), { id: 'wamid.HBgNNTU=' })
  assert.deepEqual(parseSubject('+55 (11) 95550-0199'), { person: 5511955500199 })
  assert.deepEqual(parseSubject('BR.1349120865'), { person: 'BR.1349120865' })
  for (const text of ['Bruno', '123', '', 'wamid.']) assert.deepEqual(parseSubject(text), {})
})

test('an address keeps the filters that the hub takes, and nothing else', () => {
  const given = { status: 'failed', error_code: 131047, person: 5511955500199, open: ID, date: 'today' }

  assert.deepEqual(parseMessageSearch(given), given)
  assert.deepEqual(parseMessageSearch({ status: 'lost', error_code: '1', person: 'Bruno', open: 'x', text: 'Oi' }), {})
})

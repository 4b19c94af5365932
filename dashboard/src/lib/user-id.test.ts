import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUserId } from './user-id.ts'

test('a user id has a country, and a phone number or the id of a group is none', () => {
  for (const text of ['BR.1349120865', 'BR.ENT.11815799212886844830']) assert.ok(isUserId(text), text)
  for (const text of ['5511955500199', 'br.1349', 'BR.', 'BR.1%', '120363041234567890@g.us'])
    assert.ok(!isUserId(text), text)
})

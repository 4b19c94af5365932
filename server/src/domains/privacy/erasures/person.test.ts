import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUserIds, isIdentifier, parsePerson } from './person.ts'
import { redactError } from './redaction.ts'

test('a text is the person if it is the whole number or user id, in any format', () => {
  const person = { ...parsePerson({ phone: '+55 11 97654-3210' }), userIds: ['BR.1'] }

  for (const text of ['5511976543210', '+551176543210', '+55 (11) 97654-3210', 'BR.1']) {
    assert.ok(isIdentifier(person, text), text)
  }
  for (const text of ['ligue 5511976543210', '976543210', '15511976543210', 'BR.12', '', null, 5_511_976_543_210]) {
    assert.ok(!isIdentifier(person, text), String(text))
  }
})

test('a number brings its user ids, and a user id no number', () => {
  const message = { direction: 'inbound', sender: '5511976543210', recipient: '1', contact: { user_id: 'BR.1' } }

  const byNumber = addUserIds(parsePerson({ phone: '5511976543210' }), message)
  const byUserId = addUserIds(parsePerson({ user_id: 'BR.1' }), message)

  assert.deepEqual(byNumber.userIds, ['BR.1'])
  assert.equal(addUserIds(byNumber, message), byNumber)
  assert.deepEqual(byUserId, { spellings: [], userIds: ['BR.1'] })
})

test('an error keeps its code, and its texts without the person', () => {
  const error = { code: 131026, title: 'No', details: '5511976543210 is not on WhatsApp', fbtrace_id: 'A' }

  const redacted = redactError(error, parsePerson({ phone: '5511976543210' }), null)

  assert.deepEqual(redacted, { ...error, details: '[erased] is not on WhatsApp' })
  assert.equal(redactError(null, parsePerson({ phone: '5511976543210' }), null), null)
})

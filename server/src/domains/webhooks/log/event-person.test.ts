import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPerson } from './event-person.ts'

const read = (message: unknown) => readPerson(Buffer.from(JSON.stringify({ data: { message } })))

test('the person of a message is who wrote it or whom it is for', () => {
  assert.deepEqual(read({ direction: 'inbound', from: '551199', to: '5521', contact: { user_id: 'BR.1' } }), {
    phone: '551199',
    user_id: 'BR.1',
  })
  assert.deepEqual(read({ direction: 'outbound', from: '5521', to: 'BR.1', contact: null }), {
    phone: null,
    user_id: 'BR.1',
  })
})

test('an event without a message or a person has none', () => {
  assert.equal(readPerson(null), null)
  assert.equal(read(undefined), null)
  assert.equal(read({ direction: 'inbound', from: null, contact: null }), null)
})

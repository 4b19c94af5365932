import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPerson } from './person.ts'

test('a phone number is read with anything that people write between its digits, and a user id as it is', () => {
  assert.deepEqual(
    ['+55 (11) 98765-4321', '5511987654321', ' BR.1234 ', 'BR.ENT.a1', 'ana', '123', 'BR.', '', '+0 1234567'].map(
      readPerson,
    ),
    ['+5511987654321', '5511987654321', 'BR.1234', 'BR.ENT.a1', undefined, undefined, undefined, undefined, undefined],
  )
})

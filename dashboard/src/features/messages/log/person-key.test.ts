import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOnce, toPersonKey } from './person-key.ts'

const CHANNEL = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'

function build(id: string, phone: string | null, user_id: string | null = null, channel_id = CHANNEL) {
  return { id, channel_id, person: { phone, user_id } }
}

test('each person of a channel is asked for once, and those who are known are not', () => {
  const [a, again, b, other] = [
    build('1', '551'),
    build('2', '551'),
    build('3', '552'),
    build('4', '551', null, 'other'),
  ]
  const known = new Map([[toPersonKey(b), 'Bia']])

  assert.deepEqual(nameOnce([a, again, b, other], known), [a, other])
})

test('messages without a number or an id are asked for one by one', () => {
  const rows = [build('1', null), build('2', null)]

  assert.deepEqual(nameOnce(rows, new Map()), rows)
})

test('one request asks for a hundred people at most', () => {
  const rows = Array.from({ length: 150 }, (_, number) => build(String(number), String(number)))

  assert.equal(nameOnce(rows, new Map()).length, 100)
})

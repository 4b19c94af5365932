import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchSubjects } from './subject-matches.ts'
import type { FoundSubject } from './subject-query.ts'

const ID = '01a1e042-6c20-7b93-a4d8-f15e02c97b46'
const t = ((key: string) => key) as Parameters<typeof matchSubjects>[2]
const NOTHING = { message: undefined, request: undefined, delivery: undefined, endpoint: undefined } as FoundSubject

function match(typed: string, found?: Partial<Record<keyof FoundSubject, object>>) {
  return matchSubjects(typed, found && ({ ...NOTHING, ...found } as FoundSubject), t)
}

test('a number or a user id leads to the messages of the person', () => {
  const [phone] = match('+55 (11) 95550-0199')
  const [user] = match('BR.1349120865')
  const [end] = match('0199')

  assert.equal(phone?.hint, '+55 11 95550-0199')
  assert.deepEqual(phone?.link, { to: '/messages', search: { person: 5511955500199 } })
  assert.deepEqual(end?.link, { to: '/messages', search: { number_end: '0199' } })
  assert.deepEqual(user?.link, { to: '/messages', search: { person: 'BR.1349120865' } })
})

test('an id leads to all that has it, and always to the audit log', () => {
  const found = {
    message: { id: ID },
    request: { request_id: ID, number: 7, method: 'POST', path: '/api/v1/webhooks', status: 400 },
    delivery: { id: ID, event: 'message.received', endpoint: { id: 'w1', name: 'erp' } },
    endpoint: { id: ID, name: 'erp', url: 'https://erp.example' },
  }

  const matches = match(ID, found)

  assert.deepEqual(
    matches.map(({ id, link }) => [id, link]),
    [
      ['message', { to: '/messages', search: { id: ID, open: ID } }],
      ['request', { to: '/developers', search: { request_id: ID, open: 7 } }],
      ['delivery', { to: '/webhooks/$webhookId', params: { webhookId: 'w1' }, search: { open: ID } }],
      ['endpoint', { to: '/webhooks/$webhookId', params: { webhookId: ID }, search: {} }],
      ['audit', { to: '/audit-log', search: { target_id: ID } }],
    ],
  )
  assert.equal(matches[1]?.hint, 'POST /api/v1/webhooks · 400')
  assert.deepEqual(
    match(ID, {}).map(({ id }) => id),
    ['audit'],
  )
})

test('a delivery that is found by the id of its event says so', () => {
  const delivery = { id: ID, event: 'message.received', endpoint: { id: 'w1', name: 'erp' } }
  const titles = [ID.toUpperCase(), ID.replace('0', '1')].map((typed) => match(typed, { delivery })[0]?.title)

  assert.deepEqual(titles, ['deliveryOf', 'deliveryOfEvent'])
})

test('a wamid is of a message only', () => {
  assert.deepEqual(
    match('wamid.HBgN', { message: { id: ID } }).map(({ id }) => id),
    ['message'],
  )
  assert.deepEqual(match('wamid.HBgN', {}), [])
})

test('nothing is found while the hub has not answered, nor for other text', () => {
  assert.deepEqual(match(ID), [])
  assert.deepEqual(match('farmacia', {}), [])
})

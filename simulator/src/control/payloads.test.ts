import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listStatuses, listValues, readWamid, startFixture } from '../test/harness.ts'

const ORDER = {
  type: 'interactive',
  interactive: {
    type: 'order_details',
    body: { text: 'Seu pedido' },
    action: {
      name: 'review_and_pay',
      parameters: { reference_id: 'order-7', currency: 'BRL', total_amount: { value: 990, offset: 100 } },
    },
  },
}

test('a payment is a status of type payment, and the message keeps its own statuses', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const wamid = readWamid(await fixture.send(ORDER))
  const path = `/messages/${encodeURIComponent(wamid)}`

  const { statuses } = await fixture.control<{ statuses: string[] }>('POST', `${path}/payment`, { status: 'failed' })
  await fixture.control('POST', `${path}/status`, { status: 'sent' })

  assert.deepEqual(statuses, [])
  const [payment, sent] = listStatuses(fixture.receiver) as unknown as Record<string, unknown>[]
  assert.deepEqual(Object.keys(payment ?? {}), [
    'id',
    'type',
    'status',
    'timestamp',
    'recipient_id',
    'recipient_user_id',
    'payment',
  ])
  const { transaction, ...order } = payment!.payment as { transaction: { status: string } }
  assert.deepEqual(order, { reference_id: 'order-7', amount: { value: 990, offset: 100 }, currency: 'BRL' })
  assert.deepEqual([payment?.id, payment?.status, transaction.status], [wamid, 'failed', 'failed'])
  assert.deepEqual([sent?.status, 'type' in (sent ?? {})], ['sent', false])
})

test('only a sent message with order details can be paid, and only with a status of the platform', async (t) => {
  const fixture = await startFixture(t)
  const { message_id } = await fixture.receive()
  const text = readWamid(await fixture.send({ text: { body: 'oi' } }))
  const order = readWamid(await fixture.send(ORDER))
  const pay = (id: string, status: string) =>
    fixture.control('POST', `/messages/${encodeURIComponent(id)}/payment`, { status })

  for (const id of [message_id, text]) await assert.rejects(pay(id, 'captured'), /order_details/)
  await assert.rejects(pay(order, 'paid'), /status must be one of/)
  await assert.rejects(pay('wamid.none', 'captured'), /no such message/)
})

test('a restriction has the types that were asked for, and no others than those of the platform', async (t) => {
  const fixture = await startFixture(t)
  const path = `/accounts/${fixture.wabaId}/events`
  const types = ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING']

  await fixture.control('POST', path, { event: 'restrict' })
  await fixture.control('POST', path, { event: 'restrict', restrictions: types })
  await assert.rejects(
    fixture.control('POST', path, { event: 'restrict', restrictions: ['x'] }),
    /restrictions must be some of/,
  )

  const restrictions = listValues(fixture.receiver, 'account_update').map(({ restriction_info }) =>
    (restriction_info as { restriction_type: string }[]).map(({ restriction_type }) => restriction_type),
  )
  assert.deepEqual(restrictions, [types.slice(0, 1), types])
})

test('a locked account sends no webhook, refuses to send, and its numbers are BANNED', async (t) => {
  const fixture = await startFixture(t)

  await fixture.control('PATCH', `/accounts/${fixture.wabaId}`, { locked: true })
  const refused = await fixture.send({ text: { body: 'oi' } })
  const number = await fixture.graph('GET', `/v25.0/${fixture.phoneId}?fields=status`)

  assert.deepEqual([refused.status, refused.body.error.code, number.body.status], [403, 131031, 'BANNED'])
  assert.deepEqual(listValues(fixture.receiver, 'account_update'), [])
})

test('a person has another number in `from` than the wa_id, and the hash of an identity key, if they are set', async (t) => {
  const fixture = await startFixture(t)
  const waId = '556384622450'
  await fixture.control('PUT', `/contacts/${waId}`, { number: '+55 63 98462-2450', identity_key_hash: 'h1' })

  await fixture.receive({ type: 'text' }, waId)
  await assert.rejects(
    fixture.control('PUT', `/contacts/${waId}`, { number: 'x' }),
    /is not a phone number\. Write it with its country code/,
  )

  const [value] = listValues(fixture.receiver, 'messages')
  const { messages, contacts } = value as { messages: { from: string }[]; contacts: Record<string, string>[] }
  assert.deepEqual([messages[0]?.from, contacts[0]?.wa_id], ['5563984622450', waId])
  assert.equal(contacts[0]?.identity_key_hash, 'h1')
})

test('a failure in the older form has its details outside error_data', async (t) => {
  const fixture = await startFixture(t)
  const wamid = readWamid(await fixture.send({ text: { body: 'oi' } }))
  const path = `/messages/${encodeURIComponent(wamid)}/status`

  await fixture.control('POST', path, { status: 'failed', code: 131047, older_form: true })

  const [error] = listStatuses(fixture.receiver)[0]?.errors ?? []
  assert.deepEqual(Object.keys(error ?? {}), ['code', 'title', 'details', 'href'])
})

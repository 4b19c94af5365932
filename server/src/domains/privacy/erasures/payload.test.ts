import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeFromPayload } from './payload.ts'
import { parsePerson } from './person.ts'

const PERSON = { ...parsePerson({ phone: '5511976543210' }), userIds: ['BR.1'] }
const [MINE, THEIRS] = ['551176543210', '5511912345678']

function removeFromRaw(...values: object[]) {
  const changes = values.map((value) => ({ field: 'messages', value }))
  const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }))
  const remaining = removeFromPayload({ kind: 'upstream.raw', body }, PERSON)
  return Buffer.isBuffer(remaining) ? JSON.parse(remaining.toString()).entry[0].changes[0].value : remaining
}

test('a change that is only about the person is gone', () => {
  const values = [
    { metadata: { display_phone_number: '1' }, contacts: [{ wa_id: MINE }], messages: [{ from: MINE, id: 'a' }] },
    { statuses: [{ id: 'a', recipient_id: MINE }] },
    { statuses: [{ id: 'a', recipient_id: Number(MINE) }] },
    { statuses: [{ id: 'a', recipient_user_id: 'BR.1' }] },
    { messages: [{ from: THEIRS, system: { wa_id: MINE, type: 'user_changed_number' } }] },
    { history: [{ threads: [{ id: MINE, messages: [{ from: '1', to: MINE }] }] }] },
    { state_sync: [{ contact: { phone_number: `+${MINE}`, full_name: 'Z' } }] },
    { calls: [{ from: MINE, to: '1' }] },
    { wa_id: MINE, event: 'x' },
  ]

  for (const value of values) assert.equal(removeFromRaw(value), null, JSON.stringify(value))
})

test('a payment goes if a member of it is the number or the user id of the person, and stays otherwise', {
  rules: ['erasure.covers-payments'],
}, () => {
  const remove = (payment: object) => {
    const body = Buffer.from(JSON.stringify({ event: 'payment.status', data: { message_id: null, payment } }))
    return removeFromPayload({ kind: 'payment.status', body }, PERSON)
  }

  assert.equal(remove({ transaction: { payer: { phone: `+${MINE}` } } }), null)
  assert.equal(remove({ payers: [{ id: 'BR.1' }] }), null)
  assert.equal(remove({ payer: Number(MINE) }), null)
  assert.equal(remove({ reference_id: `order-${MINE}`, payer: THEIRS }), 'unchanged')
})

test('the person is removed from events of several people, and events of one person are deleted', {
  rules: ['erasure.covers-further-kinds'],
}, () => {
  const remove = (kind: string, data: object) => {
    const body = Buffer.from(JSON.stringify({ event: kind, data }))
    const remaining = removeFromPayload({ kind, body }, PERSON)
    return Buffer.isBuffer(remaining) ? JSON.parse(remaining.toString('latin1')).data : remaining
  }
  const [me, other] = [
    { wa_id: MINE, name: 'Zuleica' },
    { wa_id: THEIRS, name: 'João' },
  ]

  assert.deepEqual(remove('contact.synced', { contacts: [me, other] }), { contacts: [other] })
  assert.equal(remove('contact.synced', { contacts: [me] }), null)
  assert.equal(remove('contact.synced', { contacts: [other] }), 'unchanged')
  const group = { group_id: 'g', change: { type: 'group_participants_remove', removed_participants: [me, other] } }
  assert.deepEqual(remove('group.changed', group), {
    group_id: 'g',
    change: { type: 'group_participants_remove', removed_participants: [other] },
  })
  assert.equal(remove('group.changed', { group_id: 'g', change: { owner: { wa_id: MINE } } }), null)
  assert.equal(remove('group.changed', { group_id: 'g', change: { added_participants: [MINE] } }), null)
  assert.equal(remove('contact.preferences', { contact: { user_id: 'BR.1' }, preference: { value: 'stop' } }), null)
  assert.equal(remove('contact.changed', { contact: { wa_id: THEIRS }, previous: { wa_id: MINE } }), null)
  assert.equal(remove('call.received', { call: { from: MINE, to: '1' } }), null)
  assert.equal(remove('call.status', { call: { recipient_id: THEIRS } }), 'unchanged')
  const chat = { contact: { wa_id: THEIRS }, messages: [{ from: THEIRS, content: { body: MINE } }] }
  assert.equal(remove('history.message', chat), 'unchanged')
  assert.equal(remove('history.message', { ...chat, contact: { wa_id: MINE } }), null)
  assert.equal(remove('history.message', { ...chat, messages: [{ from: '1', to: MINE }] }), null)
  assert.equal(remove('message.edited', { message: { direction: 'inbound', from: MINE } }), null)
})

test('messages of others and events about them stay, even if they mention the person', () => {
  const card = { from: THEIRS, type: 'contacts', contacts: [{ phones: [{ wa_id: MINE }] }], context: { from: MINE } }
  const theirs = { contacts: [{ wa_id: THEIRS }], messages: [card] }

  const remaining = removeFromRaw({
    contacts: [{ wa_id: MINE }, { wa_id: THEIRS }],
    messages: [{ from: MINE, id: 'a' }, card],
  })

  assert.deepEqual(remaining, theirs)
  assert.equal(removeFromRaw(theirs), 'unchanged')
  assert.equal(removeFromRaw({ metadata: { display_phone_number: MINE }, messages: [{ from: THEIRS }] }), 'unchanged')
})

test('lists inside of lists lose the person', () => {
  const thread = { id: THEIRS, messages: [{ from: THEIRS }] }

  assert.deepEqual(removeFromRaw({ history: [{ threads: [{ id: MINE, messages: [] }, thread] }] }), {
    history: [{ threads: [thread] }],
  })
  assert.deepEqual(removeFromRaw({ groups: [{ group_id: 'g', participants: [{ wa_id: MINE }, { wa_id: THEIRS }] }] }), {
    groups: [{ group_id: 'g', participants: [{ wa_id: THEIRS }] }],
  })
})

test('numbers keep their digits, and a payload that cannot be read is gone', () => {
  const body = Buffer.from(
    `{"entry":[{"id":12345678901234567890,"changes":[{"value":{"messages":[{"from":"${MINE}"},{"from":"x"}]}}]}]}`,
  )
  const deep = Buffer.from(`${'['.repeat(100_000)}"${MINE}"${']'.repeat(100_000)}`)

  const remaining = removeFromPayload({ kind: 'upstream.raw', body }, PERSON)

  assert.match(String(remaining), /"id":12345678901234567890,"changes":\[\{"value":\{"messages":\[\{"from":"x"\}\]/)
  for (const unreadable of [deep, Buffer.from(`{"a":"${MINE}`), Buffer.from(`"${MINE}"`)]) {
    assert.equal(removeFromPayload({ kind: 'upstream.raw', body: unreadable }, PERSON), null)
  }
})

test('an event of the hub is gone if its message or its status is the person’s', () => {
  const toBody = (data: object) => Buffer.from(JSON.stringify({ id: '1', event: 'message.status', data }))
  const remove = (data: object) => removeFromPayload({ kind: 'message.status', body: toBody(data) }, PERSON)

  assert.equal(remove({ message: { direction: 'outbound', from: '1', to: '5511976543210' } }), null)
  assert.equal(remove({ message: { direction: 'inbound', from: null, contact: { user_id: 'BR.1' } } }), null)
  assert.equal(remove({ message: { direction: 'outbound', to: null }, statuses_detail: { recipient_id: MINE } }), null)
  assert.equal(
    remove({ message: { direction: 'inbound', from: THEIRS, to: MINE, content: { body: MINE } } }),
    'unchanged',
  )
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { newContact, newKey, startSending, toStatusAndCode } from '../test/fixture.ts'

const TEXT = { type: 'text', text: { body: 'Olá' } }

/** Requests to people by user id, to groups and by marketing messages. */
async function startRecipients(t: TestContext) {
  const fixture = await startSending(t)
  const { acme, channel, up } = fixture
  const base = `/api/v1/channels/${channel.id}`
  const post = (path: string, body: object, key = newKey()): Promise<Answer> =>
    acme.post(`${base}/${path}`, body, { headers: { 'idempotency-key': key } })

  /** A person who hides the number and has written to the channel. */
  async function hiddenPerson(): Promise<{ userId: string; number: string }> {
    const number = newContact()
    await up.simulator.control('PUT', `/contacts/${number}`, { name: 'Ana', username: 'ana.souza', hides_phone: true })
    await up.simulator.control('POST', `/contacts/${number}/messages`, {
      to: channel.number.phoneNumberId,
      type: 'text',
    })
    const [newest] = await fixture.log('limit=1')
    assert.equal(newest?.from, null)
    return { number, userId: newest.contact?.user_id ?? '' }
  }

  async function group(...participants: string[]): Promise<string> {
    const path = `/numbers/${channel.number.phoneNumberId}/groups`
    return (await up.simulator.control<{ group_id: string }>('POST', path, { participants })).group_id
  }

  return { ...fixture, post, hiddenPerson, group }
}

test('a person who hides the number gets a message by user id, and the answer has the contact', {
  rules: ['recipient.user-id-needs-no-number', 'recipient.response-names-the-contact'],
}, async (t) => {
  const { post, hiddenPerson, acceptedMessages, sendRequests, wait, newest } = await startRecipients(t)
  const { userId, number } = await hiddenPerson()

  const { status, body, text } = await post(`contacts/${userId}/messages`, TEXT)

  assert.equal(status, 202, text)
  assert.deepEqual([body.data.message.to, body.data.message.contact], [userId, { wa_id: null, user_id: userId }])
  assert.deepEqual(
    (await acceptedMessages()).map(({ wa_id }) => wa_id),
    [number],
  )
  const [request] = await sendRequests()
  assert.equal(request?.params?.recipient, userId)
  assert.equal(request?.params?.to, undefined)
  await wait(60)
  const entry = await newest()
  assert.deepEqual([entry.status, entry.to, entry.contact?.user_id, entry.contact?.name], ['read', null, userId, 'Ana'])
})

test('a group gets a message, and each status of its members is an event of it', {
  rules: ['recipient.group-gets-one-message', 'recipient.response-names-the-contact'],
}, async (t) => {
  const { hub, channel, post, group, wait, newest } = await startRecipients(t)
  const groupId = await group(newContact(), newContact())

  const { status, body, text } = await post(`groups/${groupId}/messages`, TEXT)

  assert.equal(status, 202, text)
  assert.deepEqual([body.data.message.to, body.data.message.contact], [groupId, null])
  await wait(60)
  const entry = await newest()
  assert.deepEqual([entry.status, entry.to], ['read', groupId])
  const events = await hub.sql`select kind from events where channel_id = ${channel.id} and kind = 'message.status'`
  assert.equal(events.length, 5)
  const people = await hub.sql`select 1 from contacts where channel_id = ${channel.id}`
  assert.equal(people.length, 0)
})

test('an upstream refusal of a user id or a group is UPSTREAM_REJECTED, and so is its replay', {
  rules: ['recipient.user-id-needs-no-number', 'recipient.group-gets-one-message'],
}, async (t) => {
  const { post } = await startRecipients(t)
  const key = newKey()

  const unknown = await post('groups/Y2FwaV9hbm90aGVy/messages', TEXT, key)
  const again = await post('groups/Y2FwaV9hbm90aGVy/messages', TEXT, key)

  assert.deepEqual(toStatusAndCode(unknown), [400, 'UPSTREAM_REJECTED'])
  assert.deepEqual([again.status, again.body.error.details], [400, unknown.body.error.details])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('recipients that are no user id or group id, and bodies with a `to`, are 400 and not sent', {
  rules: ['recipient.invalid-one-sends-nothing'],
}, async (t) => {
  const { post, sendRequests } = await startRecipients(t)

  for (const [path, body] of [
    ['contacts/5511900000000/messages', TEXT],
    ['contacts/BR.1-2/messages', TEXT],
    [`contacts/BR.${'1'.repeat(129)}/messages`, TEXT],
    ['groups/a%20b/messages', TEXT],
    [`groups/${'a'.repeat(129)}/messages`, TEXT],
    ['contacts/BR.1349/messages', { to: '5511900000000', ...TEXT }],
    ['groups/group/messages', { to: '5511900000000', ...TEXT }],
    ['contacts/BR.1349/messages', { ...TEXT, text: {} }],
    ['marketing-messages', { to: '5511900000000', ...TEXT }],
    ['marketing-messages', { to: 'BR.1349', type: 'template', template: { name: 'a', language: { code: 'pt_BR' } } }],
  ] as const) {
    assert.deepEqual(toStatusAndCode(await post(path, body)), [400, 'INVALID_REQUEST'], path)
  }
  assert.deepEqual(await sendRequests(), [])
})

test('a key belongs to route, recipient and body: any other of them is IDEMPOTENCY_KEY_REUSED', {
  rules: ['recipient.routes-share-one-key-space'],
}, async (t) => {
  const { post, hiddenPerson, group, sendRequests } = await startRecipients(t)
  const [{ userId }, groupId, to] = [await hiddenPerson(), await group(newContact()), newContact()]
  const template = { to, type: 'template', template: { name: 'absent', language: { code: 'pt_BR' } } }
  const requests: [path: string, body: object][] = [
    [`contacts/${userId}/messages`, TEXT],
    [`contacts/${userId}0/messages`, TEXT],
    [`groups/${groupId}/messages`, TEXT],
    ['messages', { to, ...TEXT }],
    ['messages', template],
    ['marketing-messages', template],
    ['marketing-messages', { ...template, product_policy: 'STRICT' }],
  ]

  for (const [first, request] of requests.entries()) {
    const key = newKey()
    const { status, body } = await post(...request, key)
    const repeated = await post(...request, key)
    assert.deepEqual([repeated.status, repeated.body.data], [status, body.data], request[0])
    for (const [other, another] of requests.entries()) {
      if (other === first) continue
      assert.deepEqual(toStatusAndCode(await post(...another, key)), [400, 'IDEMPOTENCY_KEY_REUSED'], another[0])
    }
  }
  assert.ok((await sendRequests()).length <= requests.length)
})

test('one key on several routes at once sends one message', {
  rules: ['recipient.routes-share-one-key-space'],
}, async (t) => {
  const { post, hiddenPerson, group, acceptedMessages } = await startRecipients(t)
  const [{ userId }, groupId, to] = [await hiddenPerson(), await group(newContact()), newContact()]
  const key = newKey()

  const answers = await Promise.all([
    post(`contacts/${userId}/messages`, TEXT, key),
    post(`groups/${groupId}/messages`, TEXT, key),
    post('messages', { to, ...TEXT }, key),
  ])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 400, 400])
  assert.equal((await acceptedMessages()).length, 1)
})

test('the contact of a 202 stays the same in its replays, also when statuses tell more', {
  rules: ['recipient.response-names-the-contact'],
}, async (t) => {
  const { post, wait, newest } = await startRecipients(t)
  const [key, to] = [newKey(), '5563984622450']

  const first = await post('messages', { to, ...TEXT }, key)
  await wait(60)
  const replayed = await post('messages', { to, ...TEXT }, key)

  assert.equal(first.status, 202, first.text)
  assert.deepEqual(first.body.data.message.contact, { wa_id: '556384622450', user_id: null })
  assert.equal(first.body.data.message.to, to)
  assert.notEqual((await newest()).contact?.user_id ?? null, null)
  assert.deepEqual(replayed.body, first.body)
})

test('a key of before the routes of people is known with the same body', {
  rules: ['recipient.older-keys-stay-valid'],
}, async (t) => {
  const { hub, channel, post } = await startRecipients(t)
  const [key, body] = [newKey(), { to: '5511900000000', ...TEXT }]
  await post('messages', body, key)
  const [stored] =
    await hub.sql`select encode(body_hash, 'hex') as hash from message_keys where channel_id = ${channel.id}`

  // The version before computed it so.
  assert.equal(stored?.hash, 'af9b61af155f8292c96cec8a638197e39f8f5e4fcc0cf5b7d291d934018ab6ce')
})

test('a marketing template goes to the Marketing Messages API with its options', {
  rules: ['recipient.marketing-uses-its-own-api'],
}, async (t) => {
  const { up, channel, post } = await startRecipients(t)
  const { wabaId } = channel.number
  await up.simulator.control('PATCH', `/accounts/${wabaId}`, { marketing_messages: false })
  const body = {
    to: newContact(),
    type: 'template',
    template: { name: 'absent', language: { code: 'pt_BR' } },
    product_policy: 'STRICT',
    message_activity_sharing: true,
  }

  const refused = await post('marketing-messages', body)

  assert.deepEqual([refused.status, refused.body.error.details.code], [400, 131055])
  const { requests } = await up.simulator.control<{ requests: { path: string; params: object }[] }>('GET', '/requests')
  const sent = requests.findLast(({ path }) => path.endsWith('/marketing_messages'))
  assert.partialDeepStrictEqual(sent?.params, {
    product_policy: 'STRICT',
    message_activity_sharing: true,
    type: 'template',
  })
})

test('an erasure by user id erases what was sent to it', {
  rules: ['recipient.erasure-covers-the-user-id'],
}, async (t) => {
  const { hub, acme, post, hiddenPerson, newest } = await startRecipients(t)
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { userId } = await hiddenPerson()
  const key = newKey()
  await post(`contacts/${userId}/messages`, TEXT, key)

  await owner.post(`/console/organizations/${acme.organizationId}/erasures`, { user_id: userId })
  for (let minutes = 0; minutes < 5; minutes++) {
    await hub.clock.advance('1 minute')
    await hub.context.erasureWorker.runAll()
  }

  const entry = await newest()
  assert.deepEqual([entry.to, entry.contact, entry.content], [null, null, null])
  const replayed = await post(`contacts/${userId}/messages`, TEXT, key)
  assert.deepEqual([replayed.status, replayed.body.data.message.contact], [202, null])
})

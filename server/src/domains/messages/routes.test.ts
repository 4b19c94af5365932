import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MESSAGE_TYPES, type MessageType } from './body/message-body.ts'
import { EXAMPLES } from './body/test/examples.ts'
import { newContact, newKey, startRelayedSending, startSending, text, toStatusAndCode } from './test/fixture.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** One body of each type that needs no uploaded file. */
const BODIES: Record<MessageType, Record<string, unknown>> = {
  text: EXAMPLES.text,
  image: EXAMPLES['image, linked'],
  audio: EXAMPLES['audio, linked'],
  video: EXAMPLES['video, linked'],
  document: EXAMPLES['document, linked'],
  sticker: EXAMPLES['sticker, linked'],
  location: EXAMPLES.location,
  contacts: EXAMPLES.contacts,
  reaction: EXAMPLES.reaction,
  interactive: EXAMPLES.list,
  template: EXAMPLES.template,
}

for (const type of MESSAGE_TYPES) {
  test(`a message of type ${type} is sent in the upstream's format, logged, and published once as message.sent`, {
    rules: ['send.is-202-with-the-message', 'send.carries-its-id-upstream', 'event.message-sent-follows-acceptance'],
  }, async (t) => {
    const { acme, channel, wait, send, sendRequests, log, sent } = await startSending(t)
    if (type === 'template') {
      const template = { name: 'hello_world', language: 'en', category: 'UTILITY' }
      const components = [{ type: 'BODY', text: 'Olá' }]
      await acme.post(`/api/v1/channels/${channel.id}/templates`, { ...template, components })
      await wait(10)
    }
    const to = newContact()
    const body = { ...BODIES[type], to }

    const answer = await send({ body })

    assert.equal(answer.status, 202, answer.text)
    assert.equal(answer.headers.get('idempotent-replayed'), null)
    const { id, upstream_message_id, created_at, ...rest } = answer.body.data.message
    const answered = { wa_id: to, user_id: null }
    assert.deepEqual(rest, { channel_id: channel.id, status: 'accepted', to, type, contact: answered })
    assert.match(id, UUID)
    assert.match(created_at, TIMESTAMP)
    const [request, ...others] = await sendRequests()
    assert.deepEqual(others, [])
    assert.equal(request?.path, `/${channel.number.phoneNumberId}/messages`)
    assert.deepEqual(request?.params, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${to}`,
      type,
      [type]: BODIES[type][type],
      biz_opaque_callback_data: id,
    })
    const [entry, ...more] = await sent()
    assert.deepEqual(more, [])
    const { contact, ...line } = entry!
    assert.equal(contact, null)
    assert.deepEqual(line, {
      id,
      channel_id: channel.id,
      direction: 'outbound',
      type,
      status: 'accepted',
      from: channel.number.display.replace(/\D/g, ''),
      to,
      upstream_message_id,
      content: BODIES[type][type],
      context: null,
      error: null,
      pricing: null,
      created_at,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    })
    assert.deepEqual(await log(), [entry])
  })
}

test("upstream_message_id is the upstream's id of the message", {
  rules: ['send.carries-its-id-upstream'],
}, async (t) => {
  const { send, acceptedMessages } = await startSending(t)

  const { body } = await send()

  const [message] = await acceptedMessages()
  assert.equal(body.data.message.upstream_message_id, message?.message_id)
  assert.equal(message?.biz_opaque_callback_data, body.data.message.id)
})

test('a send is logged as sending and holds its key before the upstream call', {
  rules: ['send.is-recorded-before-the-upstream-call', 'message.outbound-statuses', 'send.in-progress-is-409'],
}, async (t) => {
  const { relay, send, log, sent } = await startRelayedSending(t)
  const key = newKey()
  const body = text()
  const caught = relay.catch('/messages')

  const sending = send({ key, body })
  const held = await caught
  const [entry] = await log()
  const again = await send({ key, body })
  const other = await send({ key })
  held.proceed()
  const answer = await sending

  const { status, upstream_message_id, content, to } = entry!
  assert.deepEqual(
    { status, upstream_message_id, content, to },
    { status: 'sending', upstream_message_id: null, content: { body: 'Olá' }, to: body.to },
  )
  assert.deepEqual(toStatusAndCode(again), [409, 'OPERATION_IN_PROGRESS'])
  assert.deepEqual(toStatusAndCode(other), [400, 'IDEMPOTENCY_KEY_REUSED'])
  assert.equal(answer.status, 202)
  assert.equal(answer.body.data.message.id, entry?.id)
  assert.equal((await sent()).length, 1)
})

test('a text with quotes, braces, control characters and emoji is sent and logged unchanged', async (t) => {
  const { send, sendRequests, log, sent } = await startSending(t)
  const body = 'a\u0001b \u007f "{}" \\ \u2028 ã 👩‍🍳'

  const answer = await send({ body: text(body) })

  assert.equal(answer.status, 202, answer.text)
  const [request] = await sendRequests()
  assert.deepEqual(request?.params.text, { body })
  assert.deepEqual((await log())[0]?.content, { body })
  assert.deepEqual((await sent())[0]?.content, { body })
})

test('null members inside the object of a message count as absent', {
  rules: ['send.null-members-count-as-absent'],
}, async (t) => {
  const { send, sendRequests } = await startSending(t)
  const to = newContact()
  const link = 'https://cdn.example/menu.jpg'
  const key = newKey()

  const answer = await send({ key, body: { to, type: 'image', image: { link, id: null, caption: null } } })
  const again = await send({ key, body: { to, type: 'image', image: { link } } })
  const beside = await send({ body: { to, type: 'image', image: { link }, context: null } })

  assert.equal(answer.status, 202, answer.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(
    (await sendRequests()).map(({ params }) => params.image),
    [{ link }],
  )
  assert.equal(beside.status, 400)
})

test('an invalid body is 400 with its path, and does not use its key', {
  rules: ['send.goes-through-a-channel', 'send.invalid-body-is-400', 'api.unknown-properties-are-400'],
}, async (t) => {
  const { send, sendRequests, log } = await startSending(t)
  const key = newKey()
  const wrong: [object, string][] = [
    [{ ...text(), priority: 1 }, '/priority'],
    [{ ...text(), to: '+5511900000000' }, '/to'],
    [{ ...text(), text: { body: '' } }, '/text/body'],
    [{ ...text(), image: { link: 'https://example.com/a.jpg' } }, '/image'],
    [{ to: newContact(), type: 'text' }, '/text'],
  ]

  for (const [body, path] of wrong) {
    const answer = await send({ key, body })

    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'])
    assert.deepEqual(answer.body.error.details.issues[0].path, path)
  }
  assert.deepEqual([await sendRequests(), await log()], [[], []])
  assert.equal((await send({ key })).status, 202)
})

test('a message without a recipient or a type is 400 with the path of the missing member, and is not sent', async (t) => {
  const { send, sendRequests, log } = await startSending(t)
  const key = newKey()
  const whole = text()
  const { to, type, text: content } = whole

  const answers = [
    await send({ key, body: { type, text: content } }),
    await send({ key, body: { to, text: content } }),
    await send({ key, body: { to: null, type, text: content } }),
    await send({ key, body: { to, type: null, text: content } }),
  ]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'])
  assert.deepEqual(
    answers.map(({ body }) => body.error.details.issues[0].path),
    ['/to', '/type', '/to', '/type'],
  )
  assert.deepEqual([await sendRequests(), await log()], [[], []])
  assert.equal((await send({ key, body: whole })).status, 202)
})

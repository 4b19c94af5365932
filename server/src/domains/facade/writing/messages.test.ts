import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { waitForHeldRequests } from '../../../../test/held-requests.ts'
import { FILES } from '../../media/test/files.ts'
import {
  createTemplate,
  newContact,
  postForm,
  startFacade,
  startRelayedFacade,
  toStatusAndCode,
} from '../test/fixture.ts'

const RESPONSE =
  '{"messaging_product":"whatsapp","contacts":[{"input":"x","wa_id":"5511"}],"messages":[{"id":"wamid.X"}]}'

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a message is forwarded as it was sent, logged, and published as message.sent', {
  rules: ['event.message-sent-follows-acceptance', 'facade.sends-messages'],
}, async (t) => {
  const { client, phone, channel, upstreamCalls, log, listEventMessages } = await startFacade(t)
  const digits = newContact()
  const to = `+${digits.slice(0, 2)} (${digits.slice(2, 4)}) ${digits.slice(4)}`
  const body = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'text',
    text: { body: 'Olá, São João', preview_url: false },
  }

  const answer = await client.post(`${phone}/messages`, body)

  const [entry] = await log()
  const [event] = await listEventMessages('message.sent')
  const [request] = await upstreamCalls()
  assert.equal(answer.status, 200)
  assert.equal(answer.body.contacts[0].input, to)
  assert.deepEqual(Object.keys(answer.body), ['messaging_product', 'contacts', 'messages'])
  assert.deepEqual(request?.params, { ...body, biz_opaque_callback_data: entry?.id })
  assert.equal(request?.path, `/${channel.number.phoneNumberId}/messages`)
  assert.deepEqual(
    [entry?.status, entry?.direction, entry?.type, entry?.to, entry?.upstream_message_id, entry?.content],
    ['accepted', 'outbound', 'text', digits, answer.body.messages[0].id, body.text],
  )
  assert.deepEqual(event, entry)
})

test('a reply keeps its context in the log and in message.sent, and a message without one has none', {
  rules: ['event.facade-send-has-its-context'],
}, async (t) => {
  const { client, phone, log, listEventMessages, channel, up } = await startFacade(t)
  const [to, text] = [newContact(), { body: 'x' }]
  const { message_id } = await up.simulator.control<{ message_id: string }>('POST', `/contacts/${to}/messages`, {
    to: channel.number.phoneNumberId,
  })

  const answers = [
    await client.post(`${phone}/messages`, { to, text, context: { message_id, more: 'x'.repeat(1000) } }),
    await client.post(`${phone}/messages`, { to: newContact(), text, context: null }),
    await client.post(`${phone}/messages`, { to: newContact(), text, context: {} }),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400],
  )
  const contexts = (await log()).filter(({ direction }) => direction === 'outbound').map(({ context }) => context)
  assert.deepEqual(contexts, [null, null, { message_id }])
  assert.deepEqual(
    (await listEventMessages('message.sent')).map(({ context }) => context),
    [{ message_id }, null],
  )
})

test('a reply with an unknown outcome keeps its context until a status settles it', {
  rules: ['event.facade-send-has-its-context', 'send.status-500-with-131000-is-unknown'],
}, async (t) => {
  const { client, phone, fault, log, listEventMessages, up } = await startFacade(t)
  const context = { message_id: 'wamid.of-the-question' }
  await fault('error_after', '/messages', { code: 131000 })

  const answer = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' }, context })
  const [unknown] = await log()
  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })

  assert.deepEqual(toStatusAndCode(answer), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual([unknown?.status, unknown?.context], ['unknown', context])
  assert.deepEqual((await log())[0]?.context, context)
  assert.deepEqual(
    (await listEventMessages('message.sent')).map((message) => message.context),
    [context],
  )
})

test("the response to a send has the upstream's exact bytes", {
  rules: ['facade.success-has-the-upstreams-shape'],
}, async (t) => {
  const { relay, client, phone } = await startRelayedFacade(t)
  const bytes = `  ${RESPONSE.replace('5511', '\\u0035511').replace('}]}', ',"n":90071992547409931234}]}')}\n`

  const catching = relay.catch('/messages')
  const sending = client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
  ;(await catching).answer(201, bytes)

  assert.deepEqual([(await sending).status, (await sending).text], [200, bytes])
})

test('numbers in a message keep their digits upstream, in the log and in the event', async (t) => {
  const { relay, client, phone, hub, acme, channel } = await startRelayedFacade(t)
  const content = '{"catalog_id":90071992547409931234,"price":1.10}'
  const raw = `{"to":"${newContact()}","type":"order","order":${content}}`

  const catching = relay.catch('/messages')
  const sending = client.send('POST', `${phone}/messages`, { raw, headers: { 'content-type': 'application/json' } })
  const { request, answer } = await catching
  const sent = await readText(request)
  answer(200, RESPONSE)
  await sending

  assert.ok(sent.includes(`"order":${content}`), sent)
  const [row] = await hub.sql`select content::text from messages where channel_id = ${channel.id}`
  const [event] = await hub.sql<{ body: Buffer }[]>`
    select body from events where kind = 'message.sent' and channel_id = ${channel.id}`
  assert.equal(row?.content, content)
  const page = await acme.get(`/api/v1/channels/${channel.id}/messages`)
  assert.match(page.text, /"catalog_id":90071992547409931234\b/)
  assert.ok(event?.body.toString().includes(content))
})

test('messages of all types are forwarded, including types that the hub does not know', async (t) => {
  const fixture = await startFacade(t)
  const { client, phone, up, log } = fixture
  await createTemplate(fixture, 'order_ready')
  await up.simulator.control('POST', '/clock', { advance_seconds: 3600 })
  const { bytes, name } = FILES.png!
  const { id } = (await postForm(client, `${phone}/media`, [{ bytes, name }])).body
  const template = { name: 'order_ready', language: { code: 'pt_BR' } }
  const bodies = [
    { type: 'template', template },
    { type: 'image', image: { id, caption: 'Pão' } },
    { type: 'location', location: { latitude: -23.5, longitude: -46.6 } },
    { type: 'interactive', interactive: { type: 'something_new', body: { text: 'x' }, action: { name: 'new' } } },
    { text: { body: 'without a type' } },
  ]

  const answers = []
  for (const body of bodies) answers.push(await client.post(`${phone}/messages`, { to: newContact(), ...body }))

  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.deepEqual((await log()).map(({ type }) => type).toReversed(), [
    'template',
    'image',
    'location',
    'interactive',
    'text',
  ])
})

test('messaging_product may be in the query, in a form, in the body, or left out', {
  rules: ['facade.messaging-product-may-stand-anywhere'],
}, async (t) => {
  const { client, phone, upstreamCalls } = await startFacade(t)
  const text = { body: 'x' }
  const form = new URLSearchParams({ to: newContact(), type: 'text', text: JSON.stringify(text) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  const answers = [
    await client.post(`${phone}/messages`, { messaging_product: 'whatsapp', to: newContact(), text }),
    await client.post(`${phone}/messages?messaging_product=whatsapp`, { to: newContact(), text }),
    await client.post(`${phone}/messages`, { to: newContact(), text }),
    await client.send('POST', `${phone}/messages`, { raw: `messaging_product=whatsapp&${form}`, headers }),
    await client.send('POST', `${phone}/messages`, { raw: form.replace(/to=\d+/, `to=${newContact()}`), headers }),
  ]

  for (const { status, text: responseText } of answers) assert.equal(status, 200, responseText)
  for (const { params } of await upstreamCalls()) {
    assert.equal(params.messaging_product, 'whatsapp')
    assert.deepEqual(params.text, text)
  }
  const wrong = await client.post(`${phone}/messages`, { messaging_product: 'facebook', to: newContact(), text })
  assert.deepEqual(toStatusAndCode(wrong), [400, 'UPSTREAM_REJECTED'])
})

test('a contact without a phone number is reached by user id', { rules: ['facade.forwards-user-ids'] }, async (t) => {
  const { client, phone, up, channel, log } = await startFacade(t)
  const waId = newContact()
  await up.simulator.control('PUT', `/contacts/${waId}`, { username: 'maria', hides_phone: true })
  await up.simulator.control('POST', `/contacts/${waId}/messages`, {
    to: channel.number.phoneNumberId,
    type: 'text',
  })
  const [received] = await log()
  const recipient = received?.contact?.user_id ?? ''

  const answer = await client.post(`${phone}/messages`, { recipient, type: 'text', text: { body: 'Olá' } })

  const [entry] = await log()
  assert.match(recipient, /^[A-Z]{2}\./)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([entry?.to, entry?.contact?.user_id, entry?.status], [null, recipient, 'accepted'])
})

test('a send with an unknown outcome is logged with its user id', async (t) => {
  const { client, phone, fault, log } = await startFacade(t)
  await fault('reset_after', '/messages')

  const answer = await client.post(`${phone}/messages`, { recipient: 'BR.1349', text: { body: 'Olá' } })

  const [entry] = await log()
  assert.deepEqual(toStatusAndCode(answer), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual([entry?.to, entry?.contact?.user_id, entry?.status], [null, 'BR.1349', 'unknown'])
})

test('the path alone decides which number sends, not the body', async (t) => {
  const fixture = await startFacade(t)
  const other = await fixture.connect(fixture.acme)
  const { phoneNumberId, display } = other.number
  const body = {
    to: newContact(),
    text: { body: 'x' },
    from: display,
    phone_number_id: phoneNumberId,
    id: phoneNumberId,
  }

  await fixture.client.post(`${fixture.phone}/messages`, body)

  const paths = (await fixture.upstreamCalls()).map(({ path }) => path).filter((path) => path.endsWith('/messages'))
  assert.deepEqual(paths, [`/${fixture.channel.number.phoneNumberId}/messages`])
})

test("the upstream's refusal is 400 with its error fields, and the log entry is failed", {
  rules: ['facade.failure-is-our-envelope', 'facade.refusal-carries-the-upstreams-codes'],
}, async (t) => {
  const { client, phone, log, listEventMessages } = await startFacade(t)

  const answer = await client.post(`${phone}/messages`, { to: 'abc', text: { body: 'x' } })

  const { error } = answer.body
  const [entry] = await log()
  assert.deepEqual(toStatusAndCode(answer), [400, 'UPSTREAM_REJECTED'])
  assert.equal(error.details.code, 131009)
  assert.equal(error.type, 'OAuthException')
  assert.equal(error.error_data.messaging_product, 'whatsapp')
  assert.equal(error.details.error_data.details, error.error_data.details)
  assert.match(error.fbtrace_id, /^A/)
  assert.deepEqual([entry?.status, entry?.to, entry?.error?.code], ['failed', 'abc', 131009])
  assert.deepEqual(await listEventMessages('message.sent'), [])
})

for (const [what, kind, more, expected] of [
  ['a throttle', 'throttle', { code: 131056 }, [429, 'RATE_LIMITED']],
  ['a transient error', 'error', { code: 131016 }, [502, 'UPSTREAM_UNAVAILABLE']],
] as const) {
  test(`${what} of the upstream is ${expected[0]}, and the log entry is failed`, async (t) => {
    const { client, phone, fault, log } = await startFacade(t)
    await fault(kind, '/messages', more)

    const answer = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
    const again = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })

    assert.deepEqual(toStatusAndCode(answer), expected)
    if (expected[0] === 429) assert.equal(answer.headers.get('retry-after'), '5')
    assert.equal(again.status, 200)
    assert.deepEqual(
      (await log()).map(({ status }) => status),
      ['accepted', 'failed'],
    )
  })
}

for (const kind of ['reset_after', 'hang_after', 'http_after', 'garbled_after']) {
  test(`a send without a readable response (${kind}) is 409, and a status callback settles it as sent once`, {
    rules: ['facade.unknown-send-is-409', 'event.message-sent-follows-acceptance'],
  }, async (t) => {
    const { client, phone, fault, up, log, listEventMessages } = await startFacade(t, {
      env: { UPSTREAM_TIMEOUT_MS: '2000' },
    })
    await fault(kind, '/messages')

    const answer = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
    await waitForHeldRequests(up)
    const [unknown] = await log()
    await up.simulator.control('POST', '/clock', { advance_seconds: 60 })
    const [settled] = await log()

    assert.deepEqual(toStatusAndCode(answer), [409, 'SEND_RESULT_UNKNOWN'])
    assert.partialDeepStrictEqual(answer.body.error.details, { message_id: unknown?.id })
    assert.equal(unknown?.status, 'unknown')
    assert.equal(settled?.id, unknown?.id)
    assert.match(settled?.upstream_message_id ?? '', /^wamid\./)
    assert.equal((await listEventMessages('message.sent')).length, 1)
  })
}

test('a 200 without a message id is 409, because the outcome is unknown', async (t) => {
  const { relay, client, phone } = await startRelayedFacade(t)

  for (const bytes of ['{"success":true}', '{}', '[]', 'true', '{"messages":[]}', '{"messages":[{"id":5}]}']) {
    const catching = relay.catch('/messages')
    const sending = client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
    ;(await catching).answer(200, bytes)
    assert.deepEqual(toStatusAndCode(await sending), [409, 'SEND_RESULT_UNKNOWN'], bytes)
  }
})

test("a client's own callback data is forwarded unchanged, and settles a send with an unknown outcome", {
  rules: ['facade.forwards-callback-data'],
}, async (t) => {
  const { client, phone, fault, up, upstreamCalls, log, listEventMessages } = await startFacade(t)
  await fault('reset_after', '/messages')
  const send = (opaque: string) =>
    client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' }, biz_opaque_callback_data: opaque })

  const lost = await send('pedido 42 / ção')
  const good = await send('pedido 43')
  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })

  assert.deepEqual([lost.status, good.status], [409, 200])
  assert.deepEqual(
    (await upstreamCalls()).map(({ params }) => params.biz_opaque_callback_data),
    ['pedido 42 / ção', 'pedido 43'],
  )
  const entries = await log()
  for (const entry of entries) assert.match(entry.upstream_message_id ?? '', /^wamid\./)
  assert.equal(entries[1]?.id, lost.body.error.details.message_id)
  assert.deepEqual(
    (await listEventMessages('message.sent')).map(({ id }) => id).toSorted(),
    entries.map(({ id }) => id).toSorted(),
  )
})

test('sends with the same callback data are each settled by their own status, also from one callback', async (t) => {
  const { client, phone, fault, up, log } = await startFacade(t)
  await up.simulator.control('PUT', '/webhooks/policy', { batch: 1000, shuffle: true })
  await fault('reset_after', '/messages', { times: 4 })
  const people = Array.from({ length: 4 }, newContact)
  for (const to of people) {
    await client.post(`${phone}/messages`, { to, text: { body: 'x' }, biz_opaque_callback_data: 'campaign-1' })
  }

  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })

  const taken = await up.simulator.control<{ messages: { message_id: string; wa_id: string }[] }>('GET', '/messages')
  const names = new Map(taken.messages.map(({ message_id, wa_id }) => [wa_id, message_id]))
  const entries = await log()
  assert.equal(entries.length, 4)
  for (const { to, upstream_message_id } of entries) assert.equal(upstream_message_id, names.get(to ?? ''))
})

test('callback data that is too long is refused by the upstream with 400', async (t) => {
  const { client, phone } = await startFacade(t)
  const body = { to: newContact(), text: { body: 'x' }, biz_opaque_callback_data: 'x'.repeat(5000) }

  assert.deepEqual(toStatusAndCode(await client.post(`${phone}/messages`, body)), [400, 'UPSTREAM_REJECTED'])
})

test('a refused stored credential is 502 and disconnects the channel, so the next send is CHANNEL_NOT_CONNECTED', async (t) => {
  const { client, phone, up, channel, log, readChannelStatus } = await startFacade(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  const answer = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
  const next = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })

  assert.deepEqual(toStatusAndCode(answer), [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(await readChannelStatus(), 'disconnected')
  assert.deepEqual(toStatusAndCode(next), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.deepEqual(
    (await log()).map(({ status }) => status),
    ['failed'],
  )
})

test('a body that is not a JSON object, is too large or has another type is refused without an upstream call', async (t) => {
  const { client, phone, upstreamCalls, log } = await startFacade(t)
  const post = (raw: string, type = 'application/json') =>
    client.send('POST', `${phone}/messages`, { raw, headers: { 'content-type': type } })

  assert.deepEqual(toStatusAndCode(await post('{"to":')), [400, 'INVALID_REQUEST'])
  assert.deepEqual(toStatusAndCode(await post('[]')), [400, 'INVALID_REQUEST'])
  assert.deepEqual(toStatusAndCode(await post(`{"to":"${'1'.repeat(2 ** 20)}"}`)), [413, 'PAYLOAD_TOO_LARGE'])
  assert.deepEqual(toStatusAndCode(await post('{}', 'text/plain')), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.deepEqual(toStatusAndCode(await client.post(`${phone}/messages?to=1`, {})), [400, 'INVALID_REQUEST'])
  assert.deepEqual(await upstreamCalls(), [])
  assert.deepEqual(await log(), [])
})

test('a message of almost 1 MiB is forwarded', async (t) => {
  const { relay, client, phone } = await startRelayedFacade(t)
  const body = { to: newContact(), type: 'custom', custom: { data: 'x'.repeat(2 ** 20 - 200) } }

  const catching = relay.catch('/messages')
  const sending = client.post(`${phone}/messages`, body)
  const { request, answer } = await catching
  const sent = JSON.parse(await readText(request))
  answer(200, RESPONSE)

  assert.equal((await sending).status, 200)
  assert.equal(sent.custom.data.length, body.custom.data.length)
})

test('a hundred concurrent sends are a hundred log entries, each with its upstream id', async (t) => {
  const { client, phone, up, log, listEventMessages, liftRateLimit } = await startFacade(t)
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await liftRateLimit()

  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      client.post(`${phone}/messages`, { to: newContact(), text: { body: String(index) } }),
    ),
  )

  assert.deepEqual([...new Set(answers.map((answer) => toStatusAndCode(answer).join(' ')))], ['200 ok'])
  const names = answers.map(({ body }) => body.messages[0].id).toSorted()
  assert.equal(new Set(names).size, 100)
  assert.deepEqual((await log()).map((entry) => entry.upstream_message_id).toSorted(), names)
  assert.equal((await listEventMessages('message.sent')).length, 100)
})

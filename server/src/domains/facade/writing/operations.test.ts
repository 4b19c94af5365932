import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { LARGE_BODY_BYTES_MAX } from '../../../kernel/http/body.ts'
import {
  createChannelClient,
  createTemplate,
  newContact,
  startFacade,
  startRelayedFacade,
  TEMPLATE,
  toStatusAndCode,
} from '../test/fixture.ts'

test('the profile is updated by both of its edge names, with the product in the body, in the query or left out', {
  rules: ['facade.changes-the-profile', 'facade.success-has-the-upstreams-shape'],
}, async (t) => {
  const { client, phone, upstreamCalls } = await startFacade(t)

  const answers = [
    await client.post(`${phone}/messaging_business_profile`, { messaging_product: 'whatsapp', about: 'um' }),
    await client.post(`${phone}/whatsapp_business_profile?messaging_product=whatsapp`, { about: 'dois' }),
    await client.post(`${phone}/messaging_business_profile`, { about: 'três', websites: ['https://example.com/'] }),
  ]
  const read = await client.get(`${phone}/whatsapp_business_profile?fields=about,websites`)

  for (const { status, text } of answers) assert.deepEqual([status, text], [200, '{"success":true}'])
  assert.deepEqual(read.body.data[0], {
    about: 'três',
    websites: ['https://example.com/'],
    messaging_product: 'whatsapp',
  })
  for (const { path } of await upstreamCalls()) assert.match(path, /\/whatsapp_business_profile$/)
})

test("a profile that the upstream refuses is 400 with the upstream's error code", async (t) => {
  const { client, phone } = await startFacade(t)

  const answer = await client.post(`${phone}/messaging_business_profile`, { about: 'x'.repeat(140) })

  assert.deepEqual(toStatusAndCode(answer), [400, 'UPSTREAM_REJECTED'])
  assert.equal(answer.body.error.details.code, 100)
})

test('read receipts and typing indicators are forwarded without a log entry or an event', {
  rules: ['facade.forwards-receipts-and-typing'],
}, async (t) => {
  const { client, phone, up, channel, upstreamCalls, log, listEventMessages } = await startFacade(t)
  await up.simulator.control('POST', `/contacts/${newContact()}/messages`, {
    to: channel.number.phoneNumberId,
    type: 'text',
  })
  const before = await log()
  const message_id = before[0]?.upstream_message_id
  const receipt = { messaging_product: 'whatsapp', status: 'read', message_id }

  const read = await client.post(`${phone}/messages`, receipt)
  const typing = await client.post(`${phone}/messages`, { ...receipt, typing_indicator: { type: 'text' } })
  const wrong = await client.post(`${phone}/messages`, { ...receipt, message_id: 'wamid.none' })

  assert.deepEqual([read.text, typing.text], ['{"success":true}', '{"success":true}'])
  assert.deepEqual(toStatusAndCode(wrong), [400, 'UPSTREAM_REJECTED'])
  const [first, second] = (await upstreamCalls()).filter(({ path }) => path.endsWith('/messages'))
  assert.deepEqual(first?.params, receipt)
  assert.deepEqual(second?.params.typing_indicator, { type: 'text' })
  assert.deepEqual(await log(), before)
  assert.deepEqual(await listEventMessages('message.sent'), [])
})

test('a receipt with a recipient is 400, because it could send a message without a log entry', async (t) => {
  const { client, phone, upstreamCalls } = await startFacade(t)
  const body = { status: 'read', message_id: 'wamid.x', text: { body: 'x' } }

  const answers = [
    await client.post(`${phone}/messages`, { ...body, to: newContact() }),
    await client.post(`${phone}/messages`, { ...body, recipient: 'BR.1' }),
  ]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('a template is created with the body as sent, and the audit log names the channel token', {
  rules: ['facade.creates-templates', 'facade.success-has-the-upstreams-shape'],
}, async (t) => {
  const { client, waba, acme, upstreamCalls, hub, channel } = await startFacade(t)
  const body = { ...TEMPLATE, allow_category_change: true }

  const answer = await client.post(`${waba}/message_templates`, body)

  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['id', 'status', 'category'])
  assert.deepEqual((await upstreamCalls())[0]?.params, body)
  const [entry] = await listAuditEntries(acme, answer.body.id)
  const [token] = await hub.sql`select id from credentials where channel_id = ${channel.id}`
  assert.deepEqual(
    [entry?.action, entry?.actor.type, entry?.actor.id],
    ['template.created', 'channel_token', token?.id],
  )
  assert.deepEqual(entry?.details, { channel_id: channel.id, name: TEMPLATE.name, language: TEMPLATE.language })
})

test("the upstream's refusal of a template keeps its subcode beside the code and in details", async (t) => {
  const fixture = await startFacade(t)
  await createTemplate(fixture, 'twice')

  const { status, body } = await fixture.client.post(`${fixture.waba}/message_templates`, {
    ...TEMPLATE,
    name: 'twice',
  })

  assert.equal(status, 400)
  assert.deepEqual([body.error.error_subcode, body.error.details.error_subcode], [2388024, 2388024])
  assert.equal(body.error.details.code, 100)
})

/** Two languages of one name, and another name. */
async function startTemplates(t: Parameters<typeof startFacade>[0]) {
  const fixture = await startFacade(t)
  const { client, waba } = fixture
  const pt = await createTemplate(fixture, 'hello')
  const en = (await client.post(`${waba}/message_templates`, { ...TEMPLATE, name: 'hello', language: 'en' })).body.id
  const other = await createTemplate(fixture, 'other')
  async function listIds(): Promise<string[]> {
    const { body } = await client.get(`${waba}/message_templates`)
    return body.data.map(({ id }: { id: string }) => id).toSorted()
  }
  return { ...fixture, pt, en, other, listIds }
}

for (const where of ['query', 'body']) {
  const request = (path: string, params: Record<string, string>): [string, { body?: object }] =>
    where === 'query' ? [`${path}?${new URLSearchParams(params)}`, {}] : [path, { body: params }]

  test(`a deletion without hsm_id deletes all languages of a template (${where})`, {
    rules: ['facade.template-deletion-covers-languages', 'facade.success-has-the-upstreams-shape'],
  }, async (t) => {
    const { client, waba, other, listIds } = await startTemplates(t)

    const [path, init] = request(`${waba}/message_templates`, { name: 'hello' })
    const answer = await client.delete(path, init)

    assert.deepEqual([answer.status, answer.text], [200, '{"success":true}'])
    assert.deepEqual(await listIds(), [other])
  })

  test(`a deletion with hsm_id deletes only that language, and forwards the id (${where})`, {
    rules: [
      'facade.template-deletion-covers-languages',
      'facade.hsm-id-deletes-one-language',
      'facade.success-has-the-upstreams-shape',
    ],
  }, async (t) => {
    const { client, waba, acme, pt, en, other, listIds, upstreamCalls } = await startTemplates(t)

    const [path, init] = request(`${waba}/message_templates`, { name: 'hello', hsm_id: en })
    const answer = await client.delete(path, init)

    assert.deepEqual([answer.status, answer.text], [200, '{"success":true}'])
    const { method, params } = (await upstreamCalls()).at(-1) ?? {}
    assert.deepEqual([method, params], ['DELETE', { name: 'hello', hsm_id: en }])
    assert.deepEqual(await listIds(), [pt, other].toSorted())
    const entries = await listAuditEntries(acme, en)
    assert.equal(entries.at(-1)?.action, 'template.deleted')
  })

  test(`an hsm_id that is not digits only is 400 INVALID_TEMPLATE_ID, and nothing is deleted (${where})`, {
    rules: ['template.invalid-hsm-id-is-400'],
  }, async (t) => {
    const { client, waba, listIds } = await startTemplates(t)

    for (const hsm_id of ['abc', '12x', '', '-1', '1,2', '["1"]']) {
      const [path, init] = request(`${waba}/message_templates`, { name: 'hello', hsm_id })
      assert.deepEqual(toStatusAndCode(await client.delete(path, init)), [400, 'INVALID_TEMPLATE_ID'], hsm_id)
    }
    assert.equal((await listIds()).length, 3)
  })
}

test('a deletion without a name or with other parameters is 400', async (t) => {
  const { client, waba, listIds } = await startTemplates(t)

  for (const [path, body] of [
    ['', undefined],
    ['', {}],
    ['?hsm_id=1', undefined],
    ['?name=hello&name=other', undefined],
    ['?hsm_ids=%5B1%5D', undefined],
    ['?name=hello', { hsm_ids: ['1'] }],
    ['?name=hello', { name: 'other' }],
  ] as const) {
    const answer = await client.delete(`${waba}/message_templates${path}`, body && { body })
    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'], path)
  }
  assert.equal((await listIds()).length, 3)
})

test('a deletion of an unknown template name is 404, and so is a second deletion', async (t) => {
  const { client, waba } = await startTemplates(t)

  const absent = await client.delete(`${waba}/message_templates?name=unknown`)
  const first = await client.delete(`${waba}/message_templates?name=hello`)
  const second = await client.delete(`${waba}/message_templates?name=hello`)

  assert.deepEqual([absent, second].map(toStatusAndCode), [
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ])
  assert.equal(first.status, 200, first.text)
})

test('a compressed body is 415 without an upstream call', async (t) => {
  const { client, phone, upstreamCalls } = await startFacade(t)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }

  const refused = await client.send('POST', `${phone}/messages`, { headers, raw: '{"to":"5511987654321"}' })

  assert.deepEqual(toStatusAndCode(refused), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('a template id or account of another channel is 404, and nothing is deleted', {
  rules: ['facade.foreign-id-is-404'],
}, async (t) => {
  const fixture = await startTemplates(t)
  const { client, waba, listIds } = fixture
  const other = await fixture.connect(fixture.acme)
  const theirs = createChannelClient(fixture, other)
  const foreign = await createTemplate(theirs, 'hello')

  const absent = await client.delete(`${waba}/message_templates?name=hello&hsm_id=${foreign}`)
  const foreignAccount = await client.delete(`/upstream/${other.number.wabaId}/message_templates?name=hello`)

  assert.deepEqual(
    [toStatusAndCode(absent), toStatusAndCode(foreignAccount)],
    [
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ],
  )
  assert.equal((await listIds()).length, 3)
})

/** A contact calls the channel's number. */
async function startCall(t: Parameters<typeof startFacade>[0]) {
  const fixture = await startFacade(t)
  const { up, channel } = fixture
  const { phoneNumberId } = channel.number
  await up.simulator.control('PATCH', `/numbers/${phoneNumberId}`, { calling_enabled: true })
  const call = await up.simulator.control<{ call_id: string }>('POST', `/contacts/${newContact()}/calls`, {
    to: phoneNumberId,
  })
  return { ...fixture, callId: call.call_id }
}

for (const action of ['reject', 'terminate']) {
  test(`${action} ends a call, and the upstream gets only three members`, {
    rules: ['facade.calls-only-end', 'facade.calls-drop-other-fields'],
  }, async (t) => {
    const { client, phone, callId, upstreamCalls } = await startCall(t)
    const body = { messaging_product: 'whatsapp', call_id: callId, action }

    const answer = await client.post(`${phone}/calls`, {
      ...body,
      session: { sdp_type: 'answer', sdp: 'v=0' },
      to: '1',
    })

    assert.deepEqual([answer.status, answer.body], [200, { messaging_product: 'whatsapp', success: true }])
    assert.deepEqual((await upstreamCalls()).at(-1)?.params, body)
  })
}

test('a call with another action or without a required member is 400 INVALID_CALL without an upstream call', {
  rules: ['facade.invalid-call-is-400', 'facade.calls-only-end'],
}, async (t) => {
  const { client, phone, callId, upstreamCalls } = await startCall(t)
  const call = { messaging_product: 'whatsapp', call_id: callId, action: 'reject' }
  const json = { 'content-type': 'application/json' }

  const answers = [
    await client.post(`${phone}/calls`, { ...call, action: 'accept', session: { sdp_type: 'answer', sdp: 'v=0' } }),
    await client.post(`${phone}/calls`, { ...call, action: 'pre_accept' }),
    await client.post(`${phone}/calls`, { ...call, action: 'connect', to: '1' }),
    await client.post(`${phone}/calls`, { ...call, call_id: undefined }),
    await client.post(`${phone}/calls`, { ...call, messaging_product: undefined }),
    await client.post(`${phone}/calls`, []),
    await client.send('POST', `${phone}/calls`, { raw: '{', headers: json }),
    await client.send('POST', `${phone}/calls`),
  ]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_CALL'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('a call whose body has another media type, a coding, wrong syntax or a wrong size is 400 INVALID_CALL', {
  rules: ['facade.invalid-call-is-400'],
}, async (t) => {
  const { client, phone, callId, upstreamCalls } = await startCall(t)
  const call = JSON.stringify({ messaging_product: 'whatsapp', call_id: callId, action: 'reject' })
  const json = { 'content-type': 'application/json' }
  const bodies: [raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>][] = [
    [call, { 'content-type': 'text/plain' }],
    [`<call>${callId}</call>`, { 'content-type': 'application/xml' }],
    [call, { 'content-type': 'multipart/form-data; boundary=x' }],
    [call, { 'content-type': 'nonsense' }],
    // Without a text, fetch sets no content type.
    [new TextEncoder().encode(call), {}],
    [call, { ...json, 'content-encoding': 'gzip' }],
    [call.slice(0, -1), json],
    [JSON.stringify({ padding: 'x'.repeat(LARGE_BODY_BYTES_MAX), call }), json],
  ]

  for (const [raw, headers] of bodies) {
    const answer = await client.send('POST', `${phone}/calls`, { raw, headers })
    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_CALL'], JSON.stringify(headers))
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('messaging_product of a call may be in the query', {
  rules: ['facade.messaging-product-may-stand-anywhere'],
}, async (t) => {
  const { client, phone, callId } = await startCall(t)

  const answer = await client.post(`${phone}/calls?messaging_product=whatsapp`, { call_id: callId, action: 'reject' })

  assert.equal(answer.status, 200)
})

test("the upstream refuses a call of another number, and another channel's number in the path is 404", {
  rules: ['facade.call-id-is-the-upstreams', 'facade.foreign-id-is-404'],
}, async (t) => {
  const fixture = await startCall(t)
  const other = await fixture.connect(fixture.acme)
  await fixture.up.simulator.control('PATCH', `/numbers/${other.number.phoneNumberId}`, { calling_enabled: true })
  const theirs = await fixture.up.simulator.control<{ call_id: string }>('POST', `/contacts/${newContact()}/calls`, {
    to: other.number.phoneNumberId,
  })
  const call = { messaging_product: 'whatsapp', action: 'reject' }

  const foreign = await fixture.client.post(`${fixture.phone}/calls`, { ...call, call_id: theirs.call_id })
  const path = await fixture.client.post(`/upstream/${other.number.phoneNumberId}/calls`, {
    ...call,
    call_id: theirs.call_id,
  })

  assert.deepEqual(
    [toStatusAndCode(foreign), toStatusAndCode(path)],
    [
      [400, 'UPSTREAM_REJECTED'],
      [404, 'NOT_FOUND'],
    ],
  )
})

test('throttles are 429 with Retry-After, and transient errors and unreadable responses are 502, for each operation', {
  rules: ['facade.failure-is-our-envelope', 'facade.throttled-request-is-429', 'facade.upstream-failure-is-502'],
}, async (t) => {
  const { client, phone, waba, fault, liftFaults } = await startFacade(t)
  const calls: [string, () => Promise<Parameters<typeof toStatusAndCode>[0]>][] = [
    ['', () => client.get(phone)],
    ['/message_templates', () => client.get(`${waba}/message_templates`)],
    ['/whatsapp_business_profile', () => client.post(`${phone}/messaging_business_profile`, { about: 'x' })],
    ['/message_templates', () => client.post(`${waba}/message_templates`, TEMPLATE)],
    ['/message_templates', () => client.delete(`${waba}/message_templates?name=x`)],
  ]

  for (const [path, call] of calls) {
    await fault('throttle', path, { code: 80007 })
    const throttled = await call()
    assert.deepEqual(toStatusAndCode(throttled), [429, 'RATE_LIMITED'])
    assert.equal(throttled.headers.get('retry-after'), '5')
    assert.equal(throttled.body.error.details.code, 80007)
    for (const kind of ['http', 'garbled_after', 'error']) {
      await fault(kind, path, { times: 3, status: 503, code: 2 })
      assert.deepEqual(toStatusAndCode(await call()), [502, 'UPSTREAM_UNAVAILABLE'], `${path} ${kind}`)
      await liftFaults()
    }
  }
})

test('a response that is not a JSON object is 502', async (t) => {
  const { relay, client, phone } = await startRelayedFacade(t)

  for (const bytes of ['true', '[]', '"x"', '', '<html>']) {
    const catching = relay.catch('/whatsapp_business_profile')
    const updating = client.post(`${phone}/messaging_business_profile`, { about: 'x' })
    ;(await catching).answer(200, bytes)
    assert.deepEqual(toStatusAndCode(await updating), [502, 'UPSTREAM_UNAVAILABLE'], bytes)
  }
})

test('a refused stored credential is 502 on reads too, and disconnects the channel', {
  rules: ['facade.upstream-failure-is-502'],
}, async (t) => {
  const { client, waba, up, channel, readChannelStatus, listEventMessages } = await startFacade(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  const answer = await client.get(`${waba}/message_templates`)
  const next = await client.get(`${waba}/message_templates`)

  assert.deepEqual(toStatusAndCode(answer), [502, 'UPSTREAM_UNAVAILABLE'])
  assert.deepEqual(toStatusAndCode(next), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.equal(await readChannelStatus(), 'disconnected')
  assert.equal((await listEventMessages('channel.disconnected')).length, 1)
})

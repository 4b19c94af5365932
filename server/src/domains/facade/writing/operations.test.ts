import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditOf } from '../../../../test/connecting.ts'
import { createTemplate, seenBy, somebody, startFacade, startRelayedFacade, TEMPLATE, told } from '../test/scene.ts'

test('the profile is changed by either of its names, with the product in the body, in the query or nowhere', {
  rules: ['D12-02', 'FAW-03', 'FAW-07'],
}, async (t) => {
  const { client, phone, asked } = await startFacade(t)

  const answers = [
    await client.post(`${phone}/messaging_business_profile`, { messaging_product: 'whatsapp', about: 'um' }),
    await client.post(`${phone}/whatsapp_business_profile?messaging_product=whatsapp`, { about: 'dois' }),
    await client.post(`${phone}/messaging_business_profile`, { about: 'três', websites: ['https://example.com/'] }),
  ]
  const read = await client.get(`${phone}/whatsapp_business_profile?fields=about,websites`)

  for (const { status, text } of answers) assert.deepEqual([status, text], [200, '{"success":true}'])
  assert.deepEqual(read.body.data[0], {
    ...{ about: 'três', websites: ['https://example.com/'], messaging_product: 'whatsapp' },
  })
  for (const { path } of await asked()) assert.match(path, /\/whatsapp_business_profile$/)
})

test('a profile that the upstream refuses is 400 with its words', async (t) => {
  const { client, phone } = await startFacade(t)

  const answer = await client.post(`${phone}/messaging_business_profile`, { about: 'x'.repeat(140) })

  assert.deepEqual(told(answer), [400, 'UPSTREAM_REJECTED'])
  assert.equal(answer.body.error.details.code, 100)
})

test('a template is created with the body as it is, and the audit log says who did it', {
  rules: ['FAW-04', 'FAW-07'],
}, async (t) => {
  const { client, waba, acme, asked, hub, channel } = await startFacade(t)
  const body = { ...TEMPLATE, allow_category_change: true }

  const answer = await client.post(`${waba}/message_templates`, body)

  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['id', 'status', 'category'])
  assert.deepEqual((await asked())[0]?.params, body)
  const [entry] = await auditOf(acme, answer.body.id)
  const [token] = await hub.sql`select id from credentials where channel_id = ${channel.id}`
  assert.deepEqual(
    [entry?.action, entry?.actor.type, entry?.actor.id],
    ['template.created', 'channel_token', token?.id],
  )
  assert.deepEqual(entry?.details, { channel_id: channel.id, name: TEMPLATE.name, language: TEMPLATE.language })
})

test("the upstream's refusal of a template keeps its subcode where clients look for it", async (t) => {
  const scene = await startFacade(t)
  await createTemplate(scene, 'twice')

  const { status, body } = await scene.client.post(`${scene.waba}/message_templates`, { ...TEMPLATE, name: 'twice' })

  assert.equal(status, 400)
  assert.deepEqual([body.error.error_subcode, body.error.details.error_subcode], [2388024, 2388024])
  assert.equal(body.error.details.code, 100)
})

/** Two languages of one name, and another name. */
async function startTemplates(t: Parameters<typeof startFacade>[0]) {
  const scene = await startFacade(t)
  const { client, waba } = scene
  const pt = await createTemplate(scene, 'hello')
  const en = (await client.post(`${waba}/message_templates`, { ...TEMPLATE, name: 'hello', language: 'en' })).body.id
  const other = await createTemplate(scene, 'other')
  async function left(): Promise<string[]> {
    const { body } = await client.get(`${waba}/message_templates`)
    return body.data.map(({ id }: { id: string }) => id).toSorted()
  }
  return { ...scene, pt, en, other, left }
}

for (const where of ['query', 'body']) {
  const request = (path: string, params: Record<string, string>): [string, { body?: object }] =>
    where === 'query' ? [`${path}?${new URLSearchParams(params)}`, {}] : [path, { body: params }]

  test(`without hsm_id every language of a template's name is deleted (${where})`, {
    rules: ['D12-19', 'D12-20', 'FAD-01', 'FAD-05'],
  }, async (t) => {
    const { client, waba, other, left } = await startTemplates(t)

    const [path, init] = request(`${waba}/message_templates`, { name: 'hello' })
    const answer = await client.delete(path, init)

    assert.deepEqual([answer.status, answer.text], [200, '{"success":true}'])
    assert.deepEqual(await left(), [other])
  })

  test(`with hsm_id only that language is deleted, and the upstream gets the id (${where})`, {
    rules: ['D12-19', 'D12-20', 'FAD-02', 'FAD-05'],
  }, async (t) => {
    const { client, waba, acme, pt, en, other, left, asked } = await startTemplates(t)

    const [path, init] = request(`${waba}/message_templates`, { name: 'hello', hsm_id: en })
    const answer = await client.delete(path, init)

    assert.deepEqual([answer.status, answer.text], [200, '{"success":true}'])
    const { method, params } = (await asked()).at(-1) ?? {}
    assert.deepEqual([method, params], ['DELETE', { name: 'hello', hsm_id: en }])
    assert.deepEqual(await left(), [pt, other].toSorted())
    const entries = await auditOf(acme, en)
    assert.equal(entries.at(-1)?.action, 'template.deleted')
  })

  test(`an hsm_id that is not digits only is 400 INVALID_TEMPLATE_ID, and nothing is deleted (${where})`, {
    rules: ['ERR-12', 'FAD-03'],
  }, async (t) => {
    const { client, waba, left } = await startTemplates(t)

    for (const hsm_id of ['abc', '12x', '', '-1', '1,2', '["1"]']) {
      const [path, init] = request(`${waba}/message_templates`, { name: 'hello', hsm_id })
      assert.deepEqual(told(await client.delete(path, init)), [400, 'INVALID_TEMPLATE_ID'], hsm_id)
    }
    assert.equal((await left()).length, 3)
  })
}

test('a deletion without a name, or by anything else, is 400', async (t) => {
  const { client, waba, left } = await startTemplates(t)

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
    assert.deepEqual(told(answer), [400, 'INVALID_REQUEST'], path)
  }
  assert.equal((await left()).length, 3)
})

test('a template of a name that the account does not have is 404, and so is a second deletion', async (t) => {
  const { client, waba } = await startTemplates(t)

  const absent = await client.delete(`${waba}/message_templates?name=nobody_made_it`)
  const first = await client.delete(`${waba}/message_templates?name=hello`)
  const second = await client.delete(`${waba}/message_templates?name=hello`)

  assert.deepEqual([absent, second].map(told), [
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ])
  assert.equal(first.status, 200, first.text)
})

test('a compressed body is 415, and nothing is asked of the upstream', async (t) => {
  const { client, phone, asked } = await startFacade(t)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }

  const refused = await client.send('POST', `${phone}/messages`, { headers, raw: '{"to":"5511987654321"}' })

  assert.deepEqual(told(refused), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.deepEqual(await asked(), [])
})

test('a template id of another account is 404, and both accounts keep theirs', { rules: ['FAD-04'] }, async (t) => {
  const world = await startTemplates(t)
  const { client, waba, left } = world
  const other = await world.connect(world.acme)
  const theirs = seenBy(world, other)
  const foreign = await createTemplate(theirs, 'hello')

  const absent = await client.delete(`${waba}/message_templates?name=hello&hsm_id=${foreign}`)
  const foreignAccount = await client.delete(`/upstream/${other.number.wabaId}/message_templates?name=hello`)

  assert.deepEqual(
    [told(absent), told(foreignAccount)],
    [
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ],
  )
  assert.equal((await left()).length, 3)
})

/** Somebody rings the channel's number. */
async function startCall(t: Parameters<typeof startFacade>[0]) {
  const scene = await startFacade(t)
  const { up, channel } = scene
  const { phoneNumberId } = channel.number
  await up.simulator.control('PATCH', `/numbers/${phoneNumberId}`, { calling_enabled: true })
  const call = await up.simulator.control<{ call_id: string }>('POST', `/contacts/${somebody()}/calls`, {
    to: phoneNumberId,
  })
  return { ...scene, callId: call.call_id }
}

for (const action of ['reject', 'terminate']) {
  test(`a call is ended by ${action}, and nothing but the three members reaches the upstream`, {
    rules: ['FAL-01', 'FAL-03', 'FAW-06'],
  }, async (t) => {
    const { client, phone, callId, asked } = await startCall(t)
    const body = { messaging_product: 'whatsapp', call_id: callId, action }

    const answer = await client.post(`${phone}/calls`, {
      ...body,
      session: { sdp_type: 'answer', sdp: 'v=0' },
      to: '1',
    })

    assert.deepEqual([answer.status, answer.body], [200, { messaging_product: 'whatsapp', success: true }])
    assert.deepEqual((await asked()).at(-1)?.params, body)
  })
}

test('a call with another action, or without what it needs, is 400 INVALID_CALL, and the upstream is not asked', {
  rules: ['ERR-09', 'FAL-01', 'FAL-02', 'FAL-04'],
}, async (t) => {
  const { client, phone, callId, asked } = await startCall(t)
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

  for (const answer of answers) assert.deepEqual(told(answer), [400, 'INVALID_CALL'])
  assert.deepEqual(await asked(), [])
})

test('the product of a call may stand in the query', { rules: ['D12-03'] }, async (t) => {
  const { client, phone, callId } = await startCall(t)

  const answer = await client.post(`${phone}/calls?messaging_product=whatsapp`, { call_id: callId, action: 'reject' })

  assert.equal(answer.status, 200)
})

test('whose call it is, the upstream decides, bounded by the number in the path', {
  rules: ['FAL-05', 'FAL-06'],
}, async (t) => {
  const world = await startCall(t)
  const other = await world.connect(world.acme)
  await world.up.simulator.control('PATCH', `/numbers/${other.number.phoneNumberId}`, { calling_enabled: true })
  const theirs = await world.up.simulator.control<{ call_id: string }>('POST', `/contacts/${somebody()}/calls`, {
    to: other.number.phoneNumberId,
  })
  const call = { messaging_product: 'whatsapp', action: 'reject' }

  const foreign = await world.client.post(`${world.phone}/calls`, { ...call, call_id: theirs.call_id })
  const path = await world.client.post(`/upstream/${other.number.phoneNumberId}/calls`, {
    ...{ ...call, call_id: theirs.call_id },
  })

  assert.deepEqual(
    [told(foreign), told(path)],
    [
      [400, 'UPSTREAM_REJECTED'],
      [404, 'NOT_FOUND'],
    ],
  )
})

test('throttles are 429 with Retry-After, transient and unreadable answers 502, on every kind of call', {
  rules: ['D12-05', 'D12-08', 'D12-09', 'ERR-23', 'FAW-08', 'FAW-09'],
}, async (t) => {
  const { client, phone, waba, fault, liftFaults } = await startFacade(t)
  const calls: [string, () => Promise<Parameters<typeof told>[0]>][] = [
    ['', () => client.get(phone)],
    ['/message_templates', () => client.get(`${waba}/message_templates`)],
    ['/whatsapp_business_profile', () => client.post(`${phone}/messaging_business_profile`, { about: 'x' })],
    ['/message_templates', () => client.post(`${waba}/message_templates`, TEMPLATE)],
    ['/message_templates', () => client.delete(`${waba}/message_templates?name=x`)],
  ]

  for (const [path, call] of calls) {
    await fault('throttle', path, { code: 80007 })
    const throttled = await call()
    assert.deepEqual(told(throttled), [429, 'RATE_LIMITED'])
    assert.equal(throttled.headers.get('retry-after'), '5')
    assert.equal(throttled.body.error.details.code, 80007)
    for (const kind of ['http', 'garbled_after', 'error']) {
      await fault(kind, path, { times: 3, status: 503, code: 2 })
      assert.deepEqual(told(await call()), [502, 'UPSTREAM_UNAVAILABLE'], `${path} ${kind}`)
      await liftFaults()
    }
  }
})

test('an answer that is JSON but no object is unreadable too', async (t) => {
  const { relay, client, phone } = await startRelayedFacade(t)

  for (const bytes of ['true', '[]', '"x"', '', '<html>']) {
    const catching = relay.catch('/whatsapp_business_profile')
    const asking = client.post(`${phone}/messaging_business_profile`, { about: 'x' })
    ;(await catching).answer(200, bytes)
    assert.deepEqual(told(await asking), [502, 'UPSTREAM_UNAVAILABLE'], bytes)
  }
})

test('a dead stored credential is 502 wherever it is noticed, and disconnects the channel', {
  rules: ['D12-09', 'ERR-23'],
}, async (t) => {
  const { client, waba, up, channel, statusOfChannel, eventsOf } = await startFacade(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  const answer = await client.get(`${waba}/message_templates`)
  const next = await client.get(`${waba}/message_templates`)

  assert.deepEqual(told(answer), [502, 'UPSTREAM_UNAVAILABLE'])
  assert.deepEqual(told(next), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.equal(await statusOfChannel(), 'disconnected')
  assert.equal((await eventsOf('channel.disconnected')).length, 1)
})

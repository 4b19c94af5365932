import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { newToken } from '../../kernel/crypto/tokens.ts'
import { CHANNEL_TOKEN_SCOPES, type Scope } from '../auth/scopes.ts'
import { FILES } from '../media/test/files.ts'
import { formOf, MULTIPART } from '../media/test/uploads.ts'
import { postForm, seenBy, somebody, startFacade, TEMPLATE, told } from './test/scene.ts'

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const NOT_FOUND = [404, 'NOT_FOUND']

test('the facade takes a channel token and nothing else: no key, no cookie, no token of the upstream, and it says so', {
  rules: ['AUTH-05', 'FAC-01', 'FAR-15'],
}, async (t) => {
  const { hub, acme, channel, phone, asked } = await startFacade(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const others = {
    nothing: hub.anonymous,
    'an API key': acme,
    'a dashboard session': ana,
    'a channel token that nobody has': hub.anonymous.with(bearer(newToken('channel_token'))),
    "the upstream's own token": hub.anonymous.with(bearer(channel.number.accessToken)),
    'another scheme': hub.anonymous.with({ authorization: `OAuth ${channel.token}` }),
  }

  for (const [what, client] of Object.entries(others)) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await client.send(method, phone)
      assert.deepEqual(told(answer), UNAUTHORIZED, what)
      assert.match(answer.body.error.message, /Authorization: Bearer/)
    }
  }
  assert.match((await acme.get(phone)).body.error.message, /channel token only/)
  assert.match((await ana.get(phone)).body.error.message, /channel token only/)
  assert.deepEqual(await asked(), [])
})

test('without a credential a path outside the allowlist tells no more than one on it', async (t) => {
  const { hub, phone } = await startFacade(t)

  const answers = await Promise.all(
    [phone, '/upstream/me', '/upstream/', '/upstream/1/x'].map((path) => hub.anonymous.get(path)),
  )

  assert.deepEqual(
    answers.map(told),
    answers.map(() => UNAUTHORIZED),
  )
})

test('a token in the query is never accepted, beside a good one either, however it is spelled', {
  rules: ['FAC-04'],
}, async (t) => {
  const { hub, client, channel, phone, asked } = await startFacade(t)
  const upstreams = `EAA${'Gb1x'.repeat(12)}`
  const queries = [
    ...[`access_token=${channel.token}`, `access_token=${upstreams}`, `ACCESS_TOKEN=x`, `access%5Ftoken=${upstreams}`],
    ...[
      `%61ccess_token=x`,
      `fields=id&access_token=`,
      `token=x`,
      `fields=${channel.token}`,
      `${channel.token}=1`,
      upstreams,
      `fields=%45AA${'x'.repeat(40)}`,
    ],
  ]

  for (const query of queries) {
    for (const who of [client, hub.anonymous]) {
      const answer = await who.get(`${phone}?${query}`)
      assert.deepEqual(told(answer), UNAUTHORIZED, query)
      assert.match(answer.body.error.message, /query string is never accepted/)
      assert.ok(!answer.text.includes(upstreams) && !answer.text.includes(channel.token))
    }
  }
  assert.deepEqual(await asked(), [])
})

test("a channel's token reaches nothing of another channel, of its own organization or of another", {
  rules: ['D12-18', 'FAH-01', 'FAR-09', 'FAR-16', 'GEN-12'],
}, async (t) => {
  const world = await startFacade(t)
  const { client, channel, acme, hub } = world
  const sibling = await world.connect(acme)
  const other = await hub.organization()
  const foreign = await world.connect(other)
  const media: string[] = []
  for (const owner of [sibling, foreign]) {
    const { client: theirs, phone } = seenBy(world, owner)
    const { bytes, name } = FILES.png!
    const uploaded = await postForm(theirs, `${phone}/media`, [{ bytes, name }])
    media.push(uploaded.body.id)
  }
  const before = (await world.asked()).length

  for (const [index, { number }] of [sibling, foreign].entries()) {
    const { phoneNumberId: phone, wabaId: waba } = number
    const paths: Record<string, string[]> = {
      GET: [
        ...[phone, waba, media[index] ?? '', `${media[index]}/content`],
        ...[`${phone}/whatsapp_business_profile`, `${waba}/message_templates`],
      ],
      POST: [
        ...['messages', 'media', 'whatsapp_business_profile', 'calls'].map((edge) => `${phone}/${edge}`),
        ...[`${waba}/message_templates`, `${waba}/header_handle`],
      ],
      DELETE: [`${waba}/message_templates?name=x`],
    }
    for (const [method, list] of Object.entries(paths)) {
      for (const path of list) {
        const answer = await client.send(method, `/upstream/${path}`, { body: method === 'POST' ? {} : undefined })
        assert.deepEqual(told(answer), NOT_FOUND, `${method} ${path}`)
      }
    }
  }
  assert.equal((await world.asked()).length, before)
  assert.equal((await client.get(`/upstream/${channel.number.phoneNumberId}`)).status, 200)
})

/** Of the upstream's paths those that would reach further than the channel's own number and account, or deeper. */
const OUTSIDE = [
  ...[
    'me',
    'me/accounts',
    'debug_token?input_token=x',
    'oauth/access_token',
    'app',
    '{app}',
    '{app}/uploads',
    'search',
  ],
  ...['upload:MTphdHRhY2g', '{waba}/subscribed_apps', '{waba}/phone_numbers', '{waba}/assigned_users'],
  ...['{phone}/register', '{phone}/deregister', '{phone}/request_code', '{phone}/verify_code', '{phone}/smb_app_data'],
  ...['{phone}/message_templates', '{waba}/messages', '{waba}/media', '{phone}/header_handle', '{phone}/content'],
  ...['{waba}/content', '{phone}/marketing_messages', '{waba}/flows', '{phone}/settings', '123456789012345'],
]

test('me, debug_token, subscribed_apps, uploads and every other path outside the allowlist are 404, and the upstream is not asked', {
  rules: ['D12-11', 'FAC-02', 'FAH-14', 'FAH-15', 'FAR-06', 'FAR-07', 'FAR-08', 'GEN-13'],
}, async (t) => {
  const { client, channel, up, asked, liftLimit } = await startFacade(t)
  const { phoneNumberId, wabaId } = channel.number
  await liftLimit()

  for (const path of OUTSIDE) {
    const named = path.replace('{phone}', phoneNumberId).replace('{waba}', wabaId).replace('{app}', up.simulator.appId)
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const prefix of ['/upstream/', '/upstream/v25.0/']) {
        const answer = await client.send(method, prefix + named, { body: method === 'POST' ? {} : undefined })
        assert.deepEqual(told(answer), NOT_FOUND, `${method} ${prefix}${named}`)
      }
    }
  }
  assert.deepEqual(await asked(), [])
})

test('other methods than the three are 405, before anything is looked at', async (t) => {
  const { client, phone, asked } = await startFacade(t)

  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
    const answer = await client.send(method, phone)
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, POST')
  }
  assert.deepEqual(await asked(), [])
})

test('a path on the list is refused for a method that it is not listed with', async (t) => {
  const { client, phone, waba, asked } = await startFacade(t)

  const answers = [
    await client.get(`${phone}/messages`),
    await client.get(`${phone}/media`),
    await client.get(`${phone}/calls`),
    await client.get(`${waba}/header_handle`),
    await client.post(phone, { pin: '123456' }),
    await client.post(waba, {}),
    await client.delete(phone),
    await client.delete(`${phone}/whatsapp_business_profile`),
  ]

  assert.deepEqual(
    answers.map(told),
    answers.map(() => NOT_FOUND),
  )
  assert.deepEqual(await asked(), [])
})

/** A request that is right, for each scope. */
const WRITES: Record<string, { scope: Scope; path: string; body?: object; isForm?: true; method?: string }> = {
  messages: { scope: 'messages:send', path: '{phone}/messages', body: { to: '5511930000001', text: { body: 'x' } } },
  media: { scope: 'media:write', path: '{phone}/media', isForm: true },
  profile: { scope: 'profile:write', path: '{phone}/whatsapp_business_profile', body: { about: 'Pão quente' } },
  'message_templates (create)': { scope: 'templates:write', path: '{waba}/message_templates', body: TEMPLATE },
  header_handle: { scope: 'templates:write', path: '{waba}/header_handle', isForm: true },
  'message_templates (delete)': {
    ...{ scope: 'templates:write', path: '{waba}/message_templates?name=order_ready', method: 'DELETE' },
  },
  calls: { scope: 'calls:write', path: '{phone}/calls', body: { messaging_product: 'whatsapp', action: 'reject' } },
}

for (const [what, { scope, path, body, isForm, method = 'POST' }] of Object.entries(WRITES)) {
  test(`on the facade ${what} needs ${scope}, and no other scope will do`, {
    rules: ['D5-40', 'D5-41', 'D5-42', 'D5-43', 'D5-44', 'FAH-02'],
  }, async (t) => {
    const { hub, acme, channel, asked } = await startFacade(t)
    const { phoneNumberId, wabaId } = channel.number
    const named = `/upstream/${path.replace('{phone}', phoneNumberId).replace('{waba}', wabaId)}`
    const others = CHANNEL_TOKEN_SCOPES.filter((held) => held !== scope)
    const send = (token: string) =>
      hub.anonymous.with(bearer(token)).send(method, named, {
        ...(body && { body }),
        ...(isForm && { raw: formOf([{ bytes: FILES.png!.bytes, name: 'a.png' }]), headers: MULTIPART }),
      })
    const tokens = [
      await hub.channelToken(acme.organizationId, channel.id, others),
      await hub.channelToken(acme.organizationId, channel.id, [scope]),
    ]

    const lacking = await send(tokens[0]!.token)
    const untouched = await asked()
    const holding = await send(tokens[1]!.token)

    assert.deepEqual(told(lacking), [403, 'INSUFFICIENT_SCOPE'])
    assert.deepEqual(lacking.body.error.details, { scope })
    assert.deepEqual(untouched, [])
    assert.notEqual(holding.status, 403)
  })
}

test('reading needs a valid token and no scope', { rules: ['D5-45'] }, async (t) => {
  const { hub, acme, channel, client, phone, waba } = await startFacade(t)
  const { bytes, name } = FILES.png!
  const { id } = (await postForm(client, `${phone}/media`, [{ bytes, name }])).body
  const reader = await hub.channelToken(acme.organizationId, channel.id, [])

  const answers = []
  for (const path of [phone, `${phone}/whatsapp_business_profile`, waba, `${waba}/message_templates`]) {
    answers.push(await reader.get(path))
  }
  answers.push(await reader.get(`/upstream/${id}`), await reader.get(`/upstream/${id}/content`))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  )
})

test('a token of a channel that is pending or disconnected is 400 CHANNEL_NOT_CONNECTED, a degraded one works', async (t) => {
  const { hub, acme, channel, client, phone, waba, move, asked } = await startFacade(t)
  const pending = (await acme.post('/api/v1/channels', { name: 'Nova' })).body.data.channel
  const never = await hub.anonymous.with(bearer(pending.token)).get('/upstream/1')

  await move(acme, channel, 'FLAGGED')
  const degraded = await client.get(phone)
  await move(acme, channel, 'BANNED')
  const before = (await asked()).length
  const answers = [
    await client.get(phone),
    await client.get(waba),
    await client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } }),
    await client.delete(`${waba}/message_templates?name=x`),
  ]

  assert.deepEqual(told(never), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.equal(degraded.status, 200)
  for (const answer of answers) assert.deepEqual(told(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.equal((await asked()).length, before)
})

test('the token of a deleted channel, and one that was replaced, are 401', { rules: ['FAR-15'] }, async (t) => {
  const { hub, acme, channel, client, phone, asked } = await startFacade(t)

  const renewed = await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)
  const fresh = hub.anonymous.with(bearer(renewed.body.data.token))
  const replaced = await client.get(phone)
  const working = await fresh.get(phone)
  await acme.delete(`/api/v1/channels/${channel.id}`)
  const before = (await asked()).length
  const deleted = await fresh.get(phone)

  assert.deepEqual([told(replaced), working.status, told(deleted)], [UNAUTHORIZED, 200, UNAUTHORIZED])
  assert.equal((await asked()).length, before)
})

test('a channel may ask 80 times a second, with all its tokens together; another channel is not held up by it', {
  rules: ['D11-08', 'FAW-08'],
}, async (t) => {
  const world = await startFacade(t)
  const { hub, acme, channel, client } = world
  const second = await hub.channelToken(acme.organizationId, channel.id, [])
  const other = seenBy(world, await world.connect(acme))
  const subject = `${acme.organizationId}:${channel.id}`
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${subject}, 70, hub_now() + interval '1 hour')`

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? client : second).get('/upstream/1')),
  )
  const beside = await other.client.get('/upstream/1')

  assert.deepEqual(
    [404, 429].map((status) => answers.filter((answer) => answer.status === status).length),
    [10, 10],
  )
  const over = answers.find(({ status }) => status === 429)
  assert.equal(over?.body.error.code, 'RATE_LIMITED')
  assert.equal(over?.headers.get('ratelimit-limit'), '80')
  assert.ok(Number(over?.headers.get('retry-after')) > 0)
  assert.equal(beside.status, 404)
})

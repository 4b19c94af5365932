import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { newToken } from '../../kernel/crypto/tokens.ts'
import { CHANNEL_TOKEN_SCOPES, type Scope } from '../auth/scopes.ts'
import { FILES } from '../media/test/files.ts'
import { buildForm, MULTIPART } from '../media/test/uploads.ts'
import { createChannelClient, newContact, postForm, startFacade, TEMPLATE, toStatusAndCode } from './test/fixture.ts'

const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const NOT_FOUND = [404, 'NOT_FOUND']

test('the facade accepts channel tokens only and refuses API keys, sessions and upstream tokens with 401', {
  rules: ['facade.mimics-the-upstream', 'facade.bad-credential-is-401'],
}, async (t) => {
  const { hub, acme, channel, phone, upstreamCalls } = await startFacade(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const others = {
    'no credential': hub.anonymous,
    'an API key': acme,
    'a dashboard session': ana,
    'an unknown channel token': hub.anonymous.with(bearer(newToken('channel_token'))),
    "the upstream's own token": hub.anonymous.with(bearer(channel.number.accessToken)),
    'another scheme': hub.anonymous.with({ authorization: `OAuth ${channel.token}` }),
  }

  for (const [what, client] of Object.entries(others)) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await client.send(method, phone)
      assert.deepEqual(toStatusAndCode(answer), UNAUTHORIZED, what)
      assert.match(answer.body.error.message, /Authorization: Bearer/)
    }
  }
  assert.match((await acme.get(phone)).body.error.message, /channel token only/)
  assert.match((await ana.get(phone)).body.error.message, /channel token only/)
  assert.deepEqual(await upstreamCalls(), [])
})

test('without a credential, paths on and outside the allowlist are the same 401', async (t) => {
  const { hub, phone } = await startFacade(t)

  const answers = await Promise.all(
    [phone, '/upstream/me', '/upstream/', '/upstream/1/x'].map((path) => hub.anonymous.get(path)),
  )

  assert.deepEqual(
    answers.map(toStatusAndCode),
    answers.map(() => UNAUTHORIZED),
  )
})

test('a token in the query is 401, even unaffected a valid Authorization header and however it is encoded', {
  rules: ['facade.upstream-token-in-query-is-refused'],
}, async (t) => {
  const { hub, client, channel, phone, upstreamCalls } = await startFacade(t)
  const upstreamToken = `EAA${'Gb1x'.repeat(12)}`
  const queries = [
    `access_token=${channel.token}`,
    `access_token=${upstreamToken}`,
    `ACCESS_TOKEN=x`,
    `access%5Ftoken=${upstreamToken}`,
    `%61ccess_token=x`,
    `fields=id&access_token=`,
    `token=x`,
    `fields=${channel.token}`,
    `${channel.token}=1`,
    upstreamToken,
    `fields=%45AA${'x'.repeat(40)}`,
  ]

  for (const query of queries) {
    for (const who of [client, hub.anonymous]) {
      const answer = await who.get(`${phone}?${query}`)
      assert.deepEqual(toStatusAndCode(answer), UNAUTHORIZED, query)
      assert.match(answer.body.error.message, /query string is never accepted/)
      assert.ok(!answer.text.includes(upstreamToken) && !answer.text.includes(channel.token))
    }
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test("a channel's token gets 404 for every id of another channel, in its own or another organization", {
  rules: ['media.belongs-to-its-channel', 'facade.foreign-id-is-404', 'facade.mimics-the-upstream'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, channel, acme, hub } = fixture
  const sibling = await fixture.connect(acme)
  const other = await hub.organization()
  const foreign = await fixture.connect(other)
  const media: string[] = []
  for (const owner of [sibling, foreign]) {
    const { client: theirs, phone } = createChannelClient(fixture, owner)
    const { bytes, name } = FILES.png!
    const uploaded = await postForm(theirs, `${phone}/media`, [{ bytes, name }])
    media.push(uploaded.body.id)
  }
  const before = (await fixture.upstreamCalls()).length

  for (const [index, { number }] of [sibling, foreign].entries()) {
    const { phoneNumberId: phone, wabaId: waba } = number
    const paths: Record<string, string[]> = {
      GET: [
        phone,
        waba,
        media[index] ?? '',
        `${media[index]}/content`,
        `${phone}/whatsapp_business_profile`,
        `${waba}/message_templates`,
      ],
      POST: [
        ...['messages', 'media', 'whatsapp_business_profile', 'calls'].map((edge) => `${phone}/${edge}`),
        `${waba}/message_templates`,
        `${waba}/header_handle`,
      ],
      DELETE: [`${waba}/message_templates?name=x`],
    }
    for (const [method, list] of Object.entries(paths)) {
      for (const path of list) {
        const answer = await client.send(method, `/upstream/${path}`, { body: method === 'POST' ? {} : undefined })
        assert.deepEqual(toStatusAndCode(answer), NOT_FOUND, `${method} ${path}`)
      }
    }
  }
  assert.equal((await fixture.upstreamCalls()).length, before)
  assert.equal((await client.get(`/upstream/${channel.number.phoneNumberId}`)).status, 200)
})

/** Paths of the upstream that the facade does not offer. */
const OUTSIDE = [
  'me',
  'me/accounts',
  'debug_token?input_token=x',
  'oauth/access_token',
  'app',
  '{app}',
  '{app}/uploads',
  'search',
  'upload:MTphdHRhY2g',
  '{waba}/subscribed_apps',
  '{waba}/phone_numbers',
  '{waba}/assigned_users',
  '{phone}/register',
  '{phone}/deregister',
  '{phone}/request_code',
  '{phone}/verify_code',
  '{phone}/smb_app_data',
  '{phone}/message_templates',
  '{waba}/messages',
  '{waba}/media',
  '{phone}/header_handle',
  '{phone}/content',
  '{waba}/content',
  '{phone}/marketing_messages',
  '{waba}/flows',
  '{phone}/settings',
  '123456789012345',
]

test('paths outside the allowlist, such as me, debug_token and subscribed_apps, are 404 without an upstream call', {
  rules: [
    'facade.forwards-an-allowlist-only',
    'facade.upload-paths-are-refused',
    'facade.me-and-debug-token-are-refused',
  ],
}, async (t) => {
  const { client, channel, up, upstreamCalls, liftRateLimit } = await startFacade(t)
  const { phoneNumberId, wabaId } = channel.number
  await liftRateLimit()

  for (const path of OUTSIDE) {
    const named = path.replace('{phone}', phoneNumberId).replace('{waba}', wabaId).replace('{app}', up.simulator.appId)
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const prefix of ['/upstream/', '/upstream/v25.0/']) {
        const answer = await client.send(method, prefix + named, { body: method === 'POST' ? {} : undefined })
        assert.deepEqual(toStatusAndCode(answer), NOT_FOUND, `${method} ${prefix}${named}`)
      }
    }
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('methods other than GET, POST and DELETE are 405 without an upstream call', async (t) => {
  const { client, phone, upstreamCalls } = await startFacade(t)

  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
    const answer = await client.send(method, phone)
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, POST')
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('a path of the allowlist with a method that is not allowed for it is 404', async (t) => {
  const { client, phone, waba, upstreamCalls } = await startFacade(t)

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
    answers.map(toStatusAndCode),
    answers.map(() => NOT_FOUND),
  )
  assert.deepEqual(await upstreamCalls(), [])
})

type FacadeCall = { scope: Scope; path: string; body?: object; isForm?: true; method?: string }

const TODAY = Math.floor(Date.now() / 1000)

/** A valid request for each operation. */
const CALLS: Record<string, FacadeCall> = {
  number: { scope: 'channels:read', path: '{phone}', method: 'GET' },
  'profile (read)': { scope: 'channels:read', path: '{phone}/whatsapp_business_profile', method: 'GET' },
  account: { scope: 'channels:read', path: '{waba}', method: 'GET' },
  pricing: {
    scope: 'channels:read',
    path: `{waba}?fields=pricing_analytics.start(${TODAY - 86_400}).end(${TODAY}).granularity(DAILY)`,
    method: 'GET',
  },
  'message_templates (list)': { scope: 'templates:read', path: '{waba}/message_templates', method: 'GET' },
  'media (read)': { scope: 'messages:read', path: '{media}', method: 'GET' },
  'media (bytes)': { scope: 'messages:read', path: '{media}/content', method: 'GET' },
  messages: { scope: 'messages:send', path: '{phone}/messages', body: { to: '5511930000001', text: { body: 'x' } } },
  media: { scope: 'media:write', path: '{phone}/media', isForm: true },
  profile: { scope: 'profile:write', path: '{phone}/whatsapp_business_profile', body: { about: 'Pão quente' } },
  'message_templates (create)': { scope: 'templates:write', path: '{waba}/message_templates', body: TEMPLATE },
  header_handle: { scope: 'templates:write', path: '{waba}/header_handle', isForm: true },
  'message_templates (delete)': {
    scope: 'templates:write',
    path: '{waba}/message_templates?name=order_ready',
    method: 'DELETE',
  },
  calls: { scope: 'calls:write', path: '{phone}/calls', body: { messaging_product: 'whatsapp', action: 'reject' } },
}

test('each call needs its own scope, and a token with all other scopes is 403', {
  rules: [
    'facade.reads-need-channels-read',
    'facade.reading-media-needs-messages-read',
    'facade.reading-templates-needs-templates-read',
  ],
}, async (t) => {
  const { hub, acme, channel, client, phone, upstreamCalls } = await startFacade(t)
  const { phoneNumberId, wabaId } = channel.number
  const file = { bytes: FILES.png!.bytes, name: 'a.png' }
  const { id: mediaId } = (await postForm(client, `${phone}/media`, [file])).body

  for (const [what, { scope, path, body, isForm, method = 'POST' }] of Object.entries(CALLS)) {
    const named = path.replace('{phone}', phoneNumberId).replace('{waba}', wabaId).replace('{media}', mediaId)
    const others = CHANNEL_TOKEN_SCOPES.filter((held) => held !== scope)
    const send = (token: string) =>
      hub.anonymous.with(bearer(token)).send(method, `/upstream/${named}`, {
        ...(body && { body }),
        ...(isForm && { raw: buildForm([file]), headers: MULTIPART }),
      })
    const without = await hub.channelToken(acme.organizationId, channel.id, others)
    const holder = await hub.channelToken(acme.organizationId, channel.id, [scope])
    const before = await upstreamCalls()

    const refused = await send(without.token)
    const after = await upstreamCalls()
    const allowed = await send(holder.token)

    assert.deepEqual(toStatusAndCode(refused), [403, 'INSUFFICIENT_SCOPE'], what)
    assert.partialDeepStrictEqual(refused.body.error.details, { scope }, what)
    assert.equal(after.length, before.length, what)
    assert.notEqual(allowed.status, 403, what)
    if (method === 'GET') assert.equal(allowed.status, 200, what)
  }
})

test('every path of a channel that was never connected is 404', {
  rules: ['facade.unconnected-channel-is-refused'],
}, async (t) => {
  const { hub, acme, phone, waba, upstreamCalls } = await startFacade(t)
  const pending = (await acme.post('/api/v1/channels', { name: 'Nova' })).body.data.channel
  const never = hub.anonymous.with(bearer(pending.token))

  const answers = [
    await never.get('/upstream/1'),
    // The ids of another channel.
    await never.get(phone),
    await never.get(`${waba}/message_templates`),
    await never.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } }),
    await never.delete(`${waba}/message_templates?name=x`),
    await never.get('/upstream/null'),
  ]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('own ids of a disconnected channel are 400 CHANNEL_NOT_CONNECTED, others are 404, and a degraded one works', {
  rules: ['facade.unconnected-channel-is-refused'],
}, async (t) => {
  const { acme, channel, client, phone, waba, move, upstreamCalls, connect } = await startFacade(t)
  const media = (await postForm(client, `${phone}/media`, [{ bytes: FILES.pdf!.bytes, name: 'a.pdf' }])).body.id
  const sibling = await connect(acme)

  await move(acme, channel, 'FLAGGED')
  const degraded = await client.get(phone)
  await move(acme, channel, 'BANNED')
  const before = (await upstreamCalls()).length
  const answers = [
    await client.get(phone),
    await client.get(waba),
    await client.get(`/upstream/${media}`),
    await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } }),
    await client.delete(`${waba}/message_templates?name=x`),
  ]
  const foreign = [await client.get('/upstream/1'), await client.get(`/upstream/${sibling.number.phoneNumberId}`)]

  assert.equal(degraded.status, 200)
  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  for (const answer of foreign) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.equal((await upstreamCalls()).length, before)
})

test('the token of a deleted channel and a replaced token are 401', {
  rules: ['facade.bad-credential-is-401'],
}, async (t) => {
  const { hub, acme, channel, client, phone, upstreamCalls } = await startFacade(t)

  const renewed = await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)
  const fresh = hub.anonymous.with(bearer(renewed.body.data.token))
  const replaced = await client.get(phone)
  const working = await fresh.get(phone)
  await acme.delete(`/api/v1/channels/${channel.id}`)
  const before = (await upstreamCalls()).length
  const deleted = await fresh.get(phone)

  assert.deepEqual(
    [toStatusAndCode(replaced), working.status, toStatusAndCode(deleted)],
    [UNAUTHORIZED, 200, UNAUTHORIZED],
  )
  assert.equal((await upstreamCalls()).length, before)
})

test('a channel may send 80 requests a second with all its tokens together', {
  rules: ['limit.80-facade-requests-a-second', 'facade.throttled-request-is-429'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { hub, acme, channel, client } = fixture
  const second = await hub.channelToken(acme.organizationId, channel.id, [])
  const other = createChannelClient(fixture, await fixture.connect(acme))
  const subject = `${acme.organizationId}:${channel.id}`
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${subject}, 70, hub_now() + interval '1 hour')`

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? client : second).get('/upstream/1')),
  )
  const unaffected = await other.client.get('/upstream/1')

  assert.deepEqual(
    [404, 429].map((status) => answers.filter((answer) => answer.status === status).length),
    [10, 10],
  )
  const over = answers.find(({ status }) => status === 429)
  assert.equal(over?.body.error.code, 'RATE_LIMITED')
  assert.equal(over?.headers.get('ratelimit-limit'), '80')
  assert.ok(Number(over?.headers.get('retry-after')) > 0)
  assert.equal(unaffected.status, 404)
})

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { CHANNEL_TOKEN_SCOPES, type Scope } from '../../auth/scopes.ts'
import { newContact } from '../test/fixture.ts'
import { createGraphClient, startGraph, startRelayedGraph, toGraphCodes } from '../test/graph.ts'

type Graph = Awaited<ReturnType<typeof startGraph>>

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const { publicKey: PUBLIC_KEY } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** Every path of a number's settings, with parameters that the upstream takes, and the scope that it needs. */
const ROWS: [method: string, path: string, scope: Scope, body?: object][] = [
  ['GET', 'block_users', 'messages:read'],
  ['POST', 'block_users', 'number:write', { messaging_product: 'whatsapp', block_users: [{ user: '5511999990000' }] }],
  ['DELETE', 'block_users', 'number:write', { block_users: [{ user: '5511999990000' }] }],
  ['GET', 'message_qrdls', 'channels:read'],
  ['POST', 'message_qrdls', 'number:write', { prefilled_message: 'Oi', generate_qr_image: 'SVG' }],
  ['GET', 'message_qrdls/ABCDEFGHIJKLMN', 'channels:read'],
  ['DELETE', 'message_qrdls/ABCDEFGHIJKLMN', 'number:write'],
  ['POST', 'conversational_automation', 'number:write', { prompts: ['Preços'] }],
  ['GET', 'whatsapp_commerce_settings', 'channels:read'],
  ['POST', 'whatsapp_commerce_settings', 'number:write', { is_cart_enabled: true }],
  ['GET', 'whatsapp_business_encryption', 'channels:read'],
  ['POST', 'whatsapp_business_encryption', 'number:write', { business_public_key: PUBLIC_KEY }],
  ['GET', 'username', 'channels:read'],
  ['POST', 'username', 'number:write', { username: 'padaria' }],
  ['DELETE', 'username', 'number:write'],
  ['GET', 'settings', 'channels:read'],
  ['POST', 'settings', 'number:write', { calling: { status: 'ENABLED' } }],
]

const send = (client: Graph['client'], [method, path, , body]: (typeof ROWS)[number], number: string) =>
  client.send(method, `${number}/${path}`, body === undefined ? {} : { body })

async function writeTo({ up, channel }: Pick<Graph, 'up' | 'channel'>, from: string): Promise<void> {
  await up.simulator.control('POST', `/contacts/${from}/messages`, { to: channel.number.phoneNumberId })
}

for (const row of ROWS) {
  const [method, path, scope] = row

  test(`${method} ${path} without ${scope} is 403 with code 10, without an upstream call`, {
    rules: ['graph.further-calls-need-their-scope'],
  }, async (t) => {
    const { withScopes, phone, upstreamCalls } = await startGraph(t)
    const client = await withScopes(CHANNEL_TOKEN_SCOPES.filter((held) => held !== scope))

    assert.deepEqual(toGraphCodes(await send(client, row, phone)), [403, 10])
    assert.deepEqual(await upstreamCalls(), [])
  })

  test(`${method} ${path} of another organization's number is 100/33, and at /upstream 404`, {
    rules: ['graph.further-calls-need-their-scope'],
  }, async (t) => {
    const fixture = await startGraph(t)
    const other = await fixture.hub.organization()
    const foreign = await createGraphClient(fixture, other.organizationId, await fixture.connect(other))
    const before = await fixture.upstreamCalls()

    assert.deepEqual(toGraphCodes(await send(fixture.client, row, foreign.phone)), [400, 100, 33])
    const upstream = await send(fixture.client, row, fixture.phone.replace('/graph', '/upstream'))
    assert.deepEqual([upstream.status, upstream.body.error.code], [404, 'NOT_FOUND'])
    assert.deepEqual(await fixture.upstreamCalls(), before)
  })

  test(`a refusal of ${method} ${path} by the upstream keeps its status, code and details`, {
    rules: ['graph.upstream-refusal-keeps-its-error'],
  }, async (t) => {
    const { client, phone, fault } = await startGraph(t)
    await fault('error', path, { code: 131009 })

    const answer = await send(client, row, phone)

    assert.deepEqual(toGraphCodes(answer), [400, 131009])
    assert.deepEqual(Object.keys(answer.body), ['error'])
    assert.match(answer.body.error.message, /^\(#131009\) /)
  })

  test(`${method} ${path} forwards its own parameters and no other`, {
    rules: ['graph.forwards-listed-parameters-only'],
  }, async (t) => {
    const { client, phone, upstreamCalls } = await startGraph(t)
    const hostile = {
      method: 'delete',
      include_sip_credentials: 'true',
      appsecret_proof: 'x',
      ids: '1,2',
      batch: '[]',
      pin: '000000',
      webhook_configuration: '{}',
      phone_number_id: '1',
      __proto__x: '1',
    }
    const query = new URLSearchParams(hostile).toString()
    const [, , , body] = row

    await client.send(method, `${phone}/${path}?${query}`, body ? { body: { ...hostile, ...body } } : {})

    const [call] = await upstreamCalls()
    assert.equal(call?.method, method)
    const own = ['messaging_product', ...Object.keys(body ?? {})]
    assert.deepEqual(
      Object.keys(call?.params ?? {}).filter((name) => !own.includes(name)),
      [],
    )
  })
}

test('a person who wrote to the number is blocked, listed and unblocked', {
  rules: ['graph.manages-the-number'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { client, phone } = fixture
  const ana = newContact()
  await writeTo(fixture, ana)
  const people = { messaging_product: 'whatsapp', block_users: [{ user: ana }] }

  const added = await client.post(`${phone}/block_users`, people)
  const listed = await client.get(`${phone}/block_users?limit=10`)
  const removed = await client.send('DELETE', `${phone}/block_users`, { body: people })

  assert.equal(added.body.block_users.added_users[0].input, ana)
  assert.equal(listed.body.data.length, 1)
  assert.equal(removed.body.block_users.removed_users[0].input, ana)
  assert.deepEqual((await client.get(`${phone}/block_users`)).body.data, [])
})

test('pages of the block list point to /graph and contain no token of the upstream', {
  rules: ['graph.manages-the-number'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { client, phone, hub, channel } = fixture
  for (const person of [newContact(), newContact()]) {
    await writeTo(fixture, person)
    await client.post(`${phone}/block_users`, { block_users: [{ user: person }] })
  }

  const first = await client.get(`${phone}/block_users?limit=1`)
  const { next } = first.body.paging

  assert.ok(next.startsWith(`${hub.context.publicUrl}/graph/${channel.number.phoneNumberId}/block_users?`), next)
  assert.doesNotMatch(first.text, /access_token|EAA/)
  const second = await client.get(new URL(next).pathname + new URL(next).search)
  assert.equal(second.body.data.length, 1)
  assert.notEqual(second.body.data[0].wa_id, first.body.data[0].wa_id)
})

test('a block list that is changed in part is 400 with 139100 in the shape of an error, and audited', {
  rules: ['graph.upstream-refusal-keeps-its-error', 'graph.number-changes-are-audited'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { client, phone, acme, channel } = fixture
  const ana = newContact()
  await writeTo(fixture, ana)

  const answer = await client.post(`${phone}/block_users`, { block_users: [{ user: ana }, { user: newContact() }] })

  assert.deepEqual(toGraphCodes(answer), [400, 139100])
  assert.deepEqual(Object.keys(answer.body), ['error'])
  assert.equal((await client.get(`${phone}/block_users`)).body.data.length, 1)
  const entries = await listAuditEntries(acme, channel.id)
  assert.deepEqual(entries.at(-1)?.details, { setting: 'block_users', change: 'set' })
})

test('a QR code is created, listed with its image, changed, read and deleted', {
  rules: ['graph.manages-the-number'],
}, async (t) => {
  const { client, phone } = await startGraph(t)
  const path = `${phone}/message_qrdls`

  const created = await client.post(path, { prefilled_message: 'Oi', generate_qr_image: 'PNG' })
  const { code } = created.body
  const fields = 'code,qr_image_url.format(PNG),owner{id},prefilled_message.limit(1)'
  const listed = await client.get(`${path}?fields=${encodeURIComponent(fields)}`)
  const changed = await client.post(path, { code, prefilled_message: 'Bom dia' })
  const read = await client.get(`${path}/${code}`)
  const unknown = await client.get(`${path}/${code}?fields=owner`)
  const deleted = await client.delete(`${path}/${code}`)

  assert.match(created.body.qr_image_url, /\.png$/)
  assert.deepEqual(Object.keys(listed.body.data[0]), ['code', 'qr_image_url'])
  assert.equal(changed.body.prefilled_message, 'Bom dia')
  assert.equal(read.body.data[0].prefilled_message, 'Bom dia')
  assert.deepEqual(unknown.body.data, [{ code }])
  assert.deepEqual(deleted.body, { success: true })
  assert.deepEqual(toGraphCodes(await client.get(`${path}/${code}`)), [400, 100, 33])
})

for (const code of ['..', '%2e%2e', 'a/b', 'a%2Fb', 'ABC;x', `${'A'.repeat(65)}`, 'ABC//']) {
  test(`the path of a QR code ${JSON.stringify(code)} is 100/33, without an upstream call`, {
    rules: ['graph.further-calls-need-their-scope'],
  }, async (t) => {
    const { hub, client, channel, upstreamCalls } = await startGraph(t)
    const { number } = channel
    const { port } = new URL(hub.url)
    const status = await new Promise<number>((resolve, reject) => {
      // `fetch` would normalize the path.
      const path = `/graph/${number.phoneNumberId}/message_qrdls/${code}`
      request({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${client.token}` } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

    assert.equal(status, 400)
    assert.deepEqual(await upstreamCalls(), [])
  })
}

test('a QR code is created with query parameters alone, and its text may look like JSON', {
  rules: ['graph.manages-the-number'],
}, async (t) => {
  const { client, phone } = await startGraph(t)
  const query = new URLSearchParams({ prefilled_message: '[Promo] {1', generate_qr_image: 'png' })

  const created = await client.send('POST', `${phone}/message_qrdls?${query}`)
  const listed = await client.get(`${phone}/message_qrdls/`)

  assert.equal(created.body.prefilled_message, '[Promo] {1')
  assert.equal(listed.body.data[0].prefilled_message, '[Promo] {1')
})

test('automation is set from JSON, a form or the query, and read as a field of the number at /graph only', {
  rules: ['graph.manages-the-number'],
}, async (t) => {
  const { client, phone } = await startGraph(t)
  const path = `${phone}/conversational_automation`
  const commands = [{ command_name: 'ajuda', command_description: 'Fala com uma pessoa' }]

  const answers = [
    await client.post(path, { enable_welcome_message: true }),
    await client.send('POST', `${path}?${new URLSearchParams({ prompts: '["Preços"]' })}`),
    await client.send('POST', path, { raw: `commands=${encodeURIComponent(JSON.stringify(commands))}`, headers: FORM }),
  ]

  for (const answer of answers) assert.deepEqual(answer.body, { success: true }, answer.text)
  const read = await client.get(`${phone}?fields=conversational_automation`)
  const { id: _id, ...automation } = read.body.conversational_automation
  assert.deepEqual(automation, { enable_welcome_message: true, prompts: ['Preços'], commands })
  const upstream = await client.get(`${phone.replace('/graph', '/upstream')}?fields=conversational_automation`)
  assert.deepEqual([upstream.status, upstream.body.error.code], [400, 'INVALID_REQUEST'])
})

test('commerce settings, the encryption key and the username are set and read', {
  rules: ['graph.manages-the-number'],
}, async (t) => {
  const { client, phone, upstreamCalls } = await startGraph(t)
  const key = new URLSearchParams({ business_public_key: PUBLIC_KEY }).toString()

  const answers = [
    await client.send('POST', `${phone}/whatsapp_commerce_settings?is_cart_enabled=false`),
    await client.post(`${phone}/whatsapp_commerce_settings`, { is_catalog_visible: true }),
    await client.send('POST', `${phone}/whatsapp_business_encryption`, { raw: key, headers: FORM }),
  ]

  for (const answer of answers) assert.deepEqual(answer.body, { success: true }, answer.text)
  const commerce = await client.get(`${phone}/whatsapp_commerce_settings`)
  assert.deepEqual([commerce.body.data[0].is_cart_enabled, commerce.body.data[0].is_catalog_visible], [false, true])
  const encryption = await client.get(`${phone}/whatsapp_business_encryption`)
  assert.equal(encryption.body.data[0].business_public_key, PUBLIC_KEY)
  assert.deepEqual((await client.post(`${phone}/username`, { username: 'padaria' })).body, { status: 'approved' })
  assert.equal((await client.get(`${phone}/username`)).body.username, 'padaria')
  assert.deepEqual((await client.delete(`${phone}/username`)).body, { success: true })
  const invalid = await client.post(`${phone}/whatsapp_commerce_settings`, { is_cart_enabled: { a: 1 } })
  assert.deepEqual(toGraphCodes(invalid), [400, 100])
  assert.equal((await upstreamCalls()).length, 8)
})

test('calling settings are set, and read without the passwords of SIP servers even on request', {
  rules: ['graph.sip-passwords-are-removed'],
}, async (t) => {
  const { client, phone, upstreamCalls } = await startGraph(t)
  const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example.com', port: 5061 }] }

  assert.deepEqual((await client.post(`${phone}/settings`, { calling: { sip } })).body, { success: true })
  const read = await client.get(`${phone}/settings?include_sip_credentials=true`)

  assert.equal(read.body.calling.sip.servers[0].hostname, 'sip.example.com')
  assert.doesNotMatch(read.text, /password/)
  assert.deepEqual((await upstreamCalls()).at(-1)?.params, {})
})

test('a SIP password that the upstream shows unasked is removed wherever it is nested', {
  rules: ['graph.sip-passwords-are-removed'],
}, async (t) => {
  const { client, phone, relay } = await startRelayedGraph(t)
  const password = '"sip_user_password":"secret"'
  const body = `{"calling":{"sip":{"servers":[{"app_id":12345678901234567890,${password}}],"x":{"SIP_User_Password":{"a":"secret"}}},"sip_user\\u005fpassword":["secret"]},${password}}`
  const catching = relay.catch('/settings')
  const reading = client.get(`${phone}/settings`)
  ;(await catching).answer(200, body)

  const { text } = await reading

  assert.equal(text, '{"calling":{"sip":{"servers":[{"app_id":12345678901234567890}],"x":{}}}}')
})

test('each change of a number has an audit entry that names the token, and a refused one has none', {
  rules: ['graph.number-changes-are-audited'],
}, async (t) => {
  const { client, phone, acme, channel } = await startGraph(t)
  await client.post(`${phone}/username`, { username: 'padaria' })
  await client.delete(`${phone}/username`)
  await client.post(`${phone}/username`, { username: 'a' })

  const entries = await listAuditEntries(acme, channel.id)

  assert.deepEqual(
    entries
      .filter(({ action }) => action === 'channel.number_changed')
      .map(({ actor, details }) => [actor.type, actor.id, details]),
    [
      ['channel_token', client.id, { setting: 'username', change: 'set' }],
      ['channel_token', client.id, { setting: 'username', change: 'deleted' }],
    ],
  )
})

for (const [method, path] of [
  ['POST', 'register'],
  ['POST', 'deregister'],
  ['POST', 'request_code'],
  ['POST', 'verify_code'],
  ['GET', 'call_permissions'],
  ['GET', 'conversational_automation'],
  ['DELETE', 'settings'],
  ['POST', 'smb_app_data'],
] as const) {
  test(`${method} ${path} is 100/33 at /graph, without an upstream call`, {
    rules: ['graph.further-calls-need-their-scope'],
  }, async (t) => {
    const { client, phone, upstreamCalls } = await startGraph(t)

    const answer = await client.send(method, `${phone}/${path}`, method === 'POST' ? { body: { pin: '123456' } } : {})

    assert.deepEqual(toGraphCodes(answer), [400, 100, 33])
    assert.deepEqual(await upstreamCalls(), [])
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'
import { FILES } from '../../media/test/files.ts'
import { createWebhook } from '../../webhooks/endpoints/test/webhooks.ts'
import { createTemplate, newContact, postForm, startFacade } from '../test/fixture.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function toError({ status, body }: Answer): unknown[] {
  return [status, body.error.code, body.error.error_subcode]
}

test("the numbers of an account are the channel's own number only", {
  rules: ['graph.lists-the-own-number-only'],
}, async (t) => {
  const { channel, client } = await startFacade(t)
  const { phoneNumberId, wabaId } = channel.number

  const all = await client.get(`/graph/${wabaId}/phone_numbers`)
  const named = await client.get(
    `/graph/${wabaId}/phone_numbers?fields=id,verified_name,certificate,owner{id}&limit=100`,
  )
  const next = await client.get(`/graph/${wabaId}/phone_numbers?after=${all.body.paging.cursors.after}`)

  assert.deepEqual(
    all.body.data.map(({ id }: { id: string }) => id),
    [phoneNumberId],
  )
  assert.ok(all.body.data[0].display_phone_number && all.body.data[0].verified_name)
  assert.deepEqual(Object.keys(named.body.data[0]).sort(), ['id', 'verified_name'])
  assert.deepEqual(next.body, { data: [] })
})

test('a file that the channel deleted is gone for it, and one of another channel stays', {
  rules: ['graph.deletes-media'],
}, async (t) => {
  const { channel, client } = await startFacade(t)
  const { bytes, name } = FILES.png!
  const { id } = (await postForm(client, `/graph/${channel.number.phoneNumberId}/media`, [{ bytes, name }])).body

  const ofOther = await client.delete(`/graph/${id}?phone_number_id=1`)
  const deleted = await client.delete(`/graph/${id}?phone_number_id=${channel.number.phoneNumberId}`)
  const again = await client.delete(`/graph/${id}`)
  const read = await client.get(`/upstream/${id}`)

  assert.deepEqual(toError(ofOther), [400, 100, 33])
  assert.deepEqual([deleted.status, deleted.body], [200, { success: true }])
  assert.deepEqual(toError(again), [400, 100, 33])
  assert.equal(read.status, 404)
})

test('debug_token describes the calling token and says of every other that it is not valid', {
  rules: ['graph.debug-token-describes-the-caller'],
}, async (t) => {
  const { hub, acme, channel, client, up } = await startFacade(t)
  const sender = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const debug = (token: string, input: string) =>
    hub.anonymous.with(bearer(token)).get(`/graph/v25.0/debug_token?input_token=${input}`)

  const own = await debug(channel.token, channel.token)
  const inQuery = await hub.anonymous.get(
    `/graph/debug_token?input_token=${channel.token}&access_token=${channel.token}`,
  )
  const narrow = await debug(sender.token, sender.token)
  const keeper = await hub.channelToken(acme.organizationId, channel.id, ['number:write'])
  const keeping = await debug(keeper.token, keeper.token)
  const sibling = await debug(channel.token, sender.token)
  const unknown = await debug(channel.token, newToken('channel_token'))
  const missing = await client.get('/graph/debug_token')

  const target_ids = [channel.number.wabaId]
  const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
  assert.deepEqual(own.body.data, {
    app_id: up.simulator.appId,
    application: 'Hubline',
    type: 'SYSTEM_USER',
    is_valid: true,
    expires_at: 0,
    scopes,
    granular_scopes: scopes.map((scope) => ({ scope, target_ids })),
  })
  assert.deepEqual(inQuery.body, own.body)
  assert.deepEqual(narrow.body.data.scopes, ['whatsapp_business_messaging'])
  assert.deepEqual(keeping.body.data.scopes, ['whatsapp_business_management'])
  assert.deepEqual([sibling.body, unknown.body], Array(2).fill({ data: { is_valid: false } }))
  assert.deepEqual([missing.status, missing.body.error.code], [400, 100])
})

test('a subscription has no effect, and an override succeeds only for an active endpoint of the channel', {
  rules: ['graph.subscribed-apps-has-no-effect', 'graph.override-needs-an-own-endpoint'],
}, async (t) => {
  const lookup = async () => [{ address: '93.184.216.34', family: 4 as const }]
  const { acme, channel, client, connect, hub, up, upstreamCalls } = await startFacade(t, { lookup })
  const { phoneNumberId, wabaId } = channel.number
  const other = await connect(acme)
  const rival = await hub.organization()
  const create = (owner: typeof acme, path: string, more: object) =>
    createWebhook(owner, { url: `https://example.com/${path}`, ...more })
  await create(acme, 'own', { all_channels: false, channel_ids: [channel.id] })
  await create(acme, 'all', { all_channels: true })
  await create(acme, 'sibling', { all_channels: false, channel_ids: [other.id] })
  await create(rival, 'rival', { all_channels: true })
  const off = await create(acme, 'off', { all_channels: true })
  await acme.patch(`/api/v1/webhooks/${off.id}`, { status: 'disabled' })
  // The hub's own health checks only read.
  const countWrites = async () => (await upstreamCalls()).filter(({ method }) => method !== 'GET').length
  const before = await countWrites()
  const apps = `/graph/${wabaId}/subscribed_apps`
  const override = (path: string) => ({ override_callback_uri: `https://example.com/${path}`, verify_token: 'x' })

  const listed = await client.get(apps)
  const succeeded = [
    await client.post(apps),
    await client.delete(apps),
    await client.post(apps, override('own')),
    await client.post(`${apps}?override_callback_uri=${encodeURIComponent('https://example.com/own')}`),
    await client.post(apps, override('all')),
    await client.post(`/graph/${phoneNumberId}`, { webhook_configuration: override('own') }),
    await client.post(`/graph/${phoneNumberId}`, { webhook_configuration: { override_callback_uri: '' } }),
    await client.send('POST', `/graph/${phoneNumberId}`, {
      raw: new URLSearchParams({ webhook_configuration: JSON.stringify(override('all')) }).toString(),
      headers: FORM,
    }),
  ]
  const refused = [
    ...(await Promise.all(['sibling', 'rival', 'off', 'nowhere'].map((path) => client.post(apps, override(path))))),
    await client.post(`/graph/${phoneNumberId}`, { webhook_configuration: override('rival') }),
    await client.post(apps, { override_callback_uri: { url: 'https://example.com/own' } }),
  ]
  const unsupported = [
    await client.post(`/graph/${phoneNumberId}`, { pin: '123456' }),
    await client.post(`/graph/${phoneNumberId}`, { pin: '123456', webhook_configuration: override('own') }),
    await client.post(`/graph/${phoneNumberId}`, {}),
  ]

  assert.equal(listed.body.data[0].whatsapp_business_api_data.id, up.simulator.appId)
  for (const answer of succeeded) assert.deepEqual([answer.status, answer.body], [200, { success: true }], answer.text)
  for (const answer of refused) {
    assert.deepEqual([answer.status, answer.body.error.code], [400, 100])
    assert.match(answer.body.error.message, /Create a webhook endpoint for this address in the hub first/)
  }
  for (const answer of unsupported) assert.deepEqual(toError(answer), [400, 100, 33])
  assert.equal(await countWrites(), before)
})

test('addresses of files and pages at /graph lead back to /graph and have no token', {
  rules: ['graph.addresses-begin-with-graph-url'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { hub, channel } = fixture
  const { phoneNumberId, wabaId } = channel.number
  for (const name of ['one', 'two']) await createTemplate(fixture, name)
  const { bytes, name } = FILES.png!
  const anonymous = (path: string) =>
    hub.anonymous.get(`${path}${path.includes('?') ? '&' : '?'}access_token=${channel.token}`)
  const uploaded = await postForm(fixture.client, `/graph/${phoneNumberId}/media`, [{ bytes, name }])

  const page = await anonymous(`/graph/v25.0/${wabaId}/message_templates?limit=1`)
  const node = await anonymous(`/graph/${uploaded.body.id}`)
  const { pathname, search } = new URL(page.body.paging.next)
  const next = await anonymous(pathname + search)
  const content = await anonymous(new URL(node.body.url).pathname)

  assert.ok(pathname.startsWith(`/graph/${wabaId}/`))
  assert.ok(node.body.url.endsWith(`/graph/${uploaded.body.id}/content`))
  for (const { text } of [page, node]) assert.doesNotMatch(text, /access_token|hub_ch_/)
  assert.equal(next.body.data.length, 1)
  assert.equal(content.status, 200)
})

test('only known parameters with a value are forwarded, as objects where they are text', {
  rules: ['graph.unknown-parameters-are-ignored', 'graph.reserved-parameters-are-dropped'],
}, async (t) => {
  const { channel, client, upstreamCalls } = await startFacade(t)
  const path = `/graph/${channel.number.phoneNumberId}`
  const contacts = JSON.stringify([{ name: { formatted_name: 'Ana', first_name: 'Ana', prefix: null } }])
  const reserved = { access_token: 'x', method: 'delete', batch: [], fields: 'id', appsecret_proof: 'y' }

  const sent = await client.post(`${path}/messages?unknown=1&appsecret_proof=z&method=delete`, {
    messaging_product: 'whatsapp',
    to: newContact(),
    type: 'contacts',
    contacts,
    text: null,
    context: null,
    ...reserved,
  })
  const form = await client.send('POST', `${path}/messages`, {
    raw: new URLSearchParams({ to: newContact(), type: 'contacts', contacts, unknown: '1' }).toString(),
    headers: FORM,
  })
  const [first, second] = (await upstreamCalls()).slice(-2)
  const buttons = [{ type: 'reply', reply: { id: 'a', title: 'A' } }]
  const chosen = await client.post(`${path}/messages`, {
    messaging_product: 'whatsapp',
    to: newContact(),
    type: 'interactive',
    interactive: { type: 'button', body: { text: 'x' }, action: JSON.stringify({ buttons }) },
  })
  const text = await client.post(`${path}/messages`, {
    messaging_product: 'whatsapp',
    to: newContact(),
    text: { body: '{"not":"parsed"}' },
  })
  const [third, fourth] = (await upstreamCalls()).slice(-2)

  assert.deepEqual([sent.status, form.status], [200, 200], `${sent.text} ${form.text}`)
  assert.deepEqual([chosen.status, text.status], [200, 200], `${chosen.text} ${text.text}`)
  assert.deepEqual(third?.params.interactive, { type: 'button', body: { text: 'x' }, action: { buttons } })
  assert.deepEqual(fourth?.params.text, { body: '{"not":"parsed"}' })
  assert.deepEqual(Object.keys(first?.params ?? {}).sort(), [
    'biz_opaque_callback_data',
    'contacts',
    'messaging_product',
    'to',
    'type',
  ])
  for (const request of [first, second]) {
    assert.deepEqual(request?.params.contacts, [{ name: { formatted_name: 'Ana', first_name: 'Ana' } }])
    assert.doesNotMatch(JSON.stringify(request), /appsecret_proof|"method":"delete"|access_token/)
  }
})

test('objects as text may have as many values together as a body, and more are refused', {
  rules: ['graph.json-in-text-is-bounded'],
}, async (t) => {
  const { channel, client, upstreamCalls, hub, acme } = await startFacade(t)
  const path = `/graph/${channel.number.phoneNumberId}`
  const settings = await hub.channelToken(acme.organizationId, channel.id, ['number:write'])
  const half = JSON.stringify(Array(12_000).fill(0))

  const answers = [
    await client.post(`${path}/messages`, { to: newContact(), type: 'text', text: half, contacts: half }),
    await settings.post(`${path}/conversational_automation`, { prompts: half, commands: half }),
  ]

  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error.message], [400, '(#100) The body has more than 20000 values.'])
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('fields that are unknown or have braces, dots or modifiers are left out of the answer', {
  rules: ['graph.unlisted-fields-are-left-out'],
}, async (t) => {
  const { channel, client, upstreamCalls } = await startFacade(t)
  const { phoneNumberId, wabaId } = channel.number
  const read = async (path: string, fields: string) => {
    const answer = await client.get(`/graph/${path}?fields=${encodeURIComponent(fields)}`)
    assert.equal(answer.status, 200, answer.text)
    return (await upstreamCalls()).at(-1)?.params.fields
  }

  assert.equal(await read(phoneNumberId, 'id,verified_name,certificate'), 'id,verified_name')
  assert.equal(await read(phoneNumberId, 'health_status{can_send_message},id,x.limit(1){y,verified_name}'), 'id')
  assert.equal(await read(phoneNumberId, 'certificate'), 'id')
  assert.equal(await read(phoneNumberId, 'verified_name,throughput{level'), 'verified_name')
  assert.equal(await read(wabaId, 'id,name,phone_numbers{display_phone_number},owner_business_info'), 'id,name')
  assert.equal(await read(wabaId, 'phone_numbers'), 'id')
  assert.equal(await read(`${wabaId}/message_templates`, 'name,status,whatsapp_business_account'), 'name,status')
})

test('a list of templates without a limit is long for a client that cannot follow its links', {
  rules: ['graph.query-token-lists-have-250'],
}, async (t) => {
  const { hub, channel, client, upstreamCalls } = await startFacade(t)
  const path = `/graph/${channel.number.wabaId}/message_templates`
  const readLimit = async () => (await upstreamCalls()).at(-1)?.params.limit

  await hub.anonymous.get(`${path}?access_token=${channel.token}`)
  const inQuery = await readLimit()
  await hub.anonymous.get(`${path}?access_token=${channel.token}&limit=5`)
  const chosen = await readLimit()
  await client.get(path)
  const inHeader = await readLimit()

  assert.deepEqual([inQuery, chosen, inHeader], ['250', '5', undefined])
})

test('one slash at the end of a path of /graph is ignored', {
  rules: ['graph.trailing-slash-is-ignored'],
}, async (t) => {
  const { channel, client } = await startFacade(t)
  const { phoneNumberId } = channel.number

  const one = await client.get(`/graph/${phoneNumberId}/whatsapp_business_profile/`)
  const two = await client.get(`/graph/${phoneNumberId}/whatsapp_business_profile//`)
  const upstream = await client.get(`/upstream/${phoneNumberId}/`)

  assert.equal(one.status, 200)
  assert.deepEqual(toError(two), [400, 100, 33])
  assert.equal(upstream.status, 404)
})

test('an upload at /graph ignores other fields of its form', {
  rules: ['graph.unknown-parameters-are-ignored'],
}, async (t) => {
  const { channel, hub } = await startFacade(t)
  const form = new FormData()
  form.append('messaging_product', 'whatsapp')
  form.append('type', 'image/png')
  form.append('filename', 'x.png')
  form.append('access_token', 'no-token')
  form.append('file', new Blob([new Uint8Array(FILES.png!.bytes)], { type: 'image/png' }), 'a.png')

  const answer = await fetch(`${hub.url}/graph/${channel.number.phoneNumberId}/media`, {
    method: 'POST',
    headers: bearer(channel.token),
    body: form,
  })

  assert.equal(answer.status, 200, await answer.text())
})

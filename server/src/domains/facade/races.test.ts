import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { FILES } from '../media/test/files.ts'
import {
  createChannelClient,
  newContact,
  postForm,
  startFacade,
  startRelayedFacade,
  toStatusAndCode,
} from './test/fixture.ts'

const RESPONSE = '{"messaging_product":"whatsapp","contacts":[{"wa_id":"5511"}],"messages":[{"id":"wamid.X"}]}'
const PNG = { bytes: FILES.png!.bytes, name: 'a.png' }

test("a number's former channel is not connected, and its new channel gets 404 for the former one's files", {
  rules: ['media.belongs-to-its-channel'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, phone, channel, acme, hub, move, liftRateLimit } = fixture
  await liftRateLimit()
  const { id } = (await postForm(client, `${phone}/media`, [PNG])).body
  await move(acme, channel, 'BANNED')
  const rival = await hub.organization()
  const taken = createChannelClient(fixture, await fixture.connect(rival, { number: channel.number }))
  const before = (await fixture.upstreamCalls()).length

  const former = [
    await client.get(phone),
    await client.get(`/upstream/${id}/content`),
    await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } }),
  ]
  const files = [await taken.client.get(`/upstream/${id}`), await taken.client.get(`/upstream/${id}/content`)]

  for (const answer of former) assert.deepEqual(toStatusAndCode(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  for (const answer of files) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.equal((await fixture.upstreamCalls()).length, before)
  assert.equal((await taken.client.get(phone)).status, 200)
})

test('requests in flight when their channel is deleted get a response, and later requests are 401', async (t) => {
  const { relay, client, phone, waba, acme, channel, hub } = await startRelayedFacade(t)
  const { id } = (await postForm(client, `${phone}/media`, [PNG])).body
  const caught = [
    relay.catch('/messages'),
    relay.catch('/message_templates'),
    relay.catch('/media'),
    relay.catch(`/${id}`),
  ]

  const requests = [
    client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } }),
    client.delete(`${waba}/message_templates?name=x`),
    postForm(client, `${phone}/media`, [PNG]),
    client.get(`/upstream/${id}`),
  ]
  const [message, template, media, node] = await Promise.all(caught)
  const deleted = await acme.delete(`/api/v1/channels/${channel.id}`)
  message?.answer(200, RESPONSE)
  template?.answer(200, '{"success":true}')
  media?.request.resume().once('end', () => media.answer(200, '{"id":"5"}'))
  node?.answer(401, '{"error":{"message":"gone","type":"OAuthException","code":190}}')
  const answers = await Promise.all(requests)
  const after = await client.get(phone)

  assert.equal(deleted.status, 200)
  assert.deepEqual(answers.map(toStatusAndCode), [
    [200, 'ok'],
    [200, 'ok'],
    [404, 'NOT_FOUND'],
    [502, 'UPSTREAM_UNAVAILABLE'],
  ])
  assert.deepEqual(toStatusAndCode(after), [401, 'UNAUTHORIZED'])
  const rows = await hub.sql`select media_id from channel_media where channel_id = ${channel.id} and media_id = '5'`
  assert.equal(rows.length, 0)
})

test('a request in flight succeeds after its token is replaced, and the next one is 401', async (t) => {
  const { relay, client, phone, acme, channel, hub } = await startRelayedFacade(t)
  const catching = relay.catch('/messages')

  const sending = client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
  const { answer } = await catching
  const renewed = await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)
  answer(200, RESPONSE)
  const fresh = hub.anonymous.with(bearer(renewed.body.data.token))

  assert.equal((await sending).status, 200)
  assert.equal((await client.get(phone)).status, 401)
  assert.equal((await fresh.get(phone)).status, 200)
})

test('a suspended organization cannot send through the facade, and can read', async (t) => {
  const { client, phone, acme, hub, log, upstreamCalls } = await startFacade(t, { env: { BILLING: 'sandbox' } })
  await hub.sql`
    insert into subscriptions (organization_id, status) values (${acme.organizationId}, 'suspended')
    on conflict (organization_id) do update set status = excluded.status`

  const refused = await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } })
  const untouched = await upstreamCalls()
  const read = await client.get(phone)

  assert.deepEqual(toStatusAndCode(refused), [403, 'SUBSCRIPTION_SUSPENDED'])
  assert.deepEqual([untouched, await log()], [[], []])
  assert.equal(read.status, 200)
})

test('concurrent uses of a refused credential publish one channel.disconnected event', async (t) => {
  const { client, phone, waba, up, channel, listEventMessages, readChannelStatus } = await startFacade(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => client.get(index % 2 ? phone : `${waba}/message_templates`)),
  )

  for (const answer of answers) assert.ok([502, 400].includes(answer.status), answer.text)
  assert.equal(await readChannelStatus(), 'disconnected')
  assert.equal((await listEventMessages('channel.disconnected')).length, 1)
})

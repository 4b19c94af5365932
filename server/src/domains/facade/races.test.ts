import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { FILES } from '../media/test/files.ts'
import { postForm, seenBy, somebody, startFacade, startRelayedFacade, told } from './test/scene.ts'

const ANSWER = '{"messaging_product":"whatsapp","contacts":[{"wa_id":"5511"}],"messages":[{"id":"wamid.X"}]}'
const PNG = { bytes: FILES.png!.bytes, name: 'a.png' }

test('a number that another organization has taken over is out of reach of its former channel, and its files of the new one', {
  rules: ['D12-18'],
}, async (t) => {
  const world = await startFacade(t)
  const { client, phone, channel, acme, hub, move, liftLimit } = world
  await liftLimit()
  const { id } = (await postForm(client, `${phone}/media`, [PNG])).body
  await move(acme, channel, 'BANNED')
  const rival = await hub.organization()
  const taken = seenBy(world, await world.connect(rival, { number: channel.number }))
  const before = (await world.asked()).length

  const former = [
    await client.get(phone),
    await client.get(`/upstream/${id}/content`),
    await client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } }),
  ]
  const files = [await taken.client.get(`/upstream/${id}`), await taken.client.get(`/upstream/${id}/content`)]

  for (const answer of former) assert.deepEqual(told(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  for (const answer of files) assert.deepEqual(told(answer), [404, 'NOT_FOUND'])
  assert.equal((await world.asked()).length, before)
  assert.equal((await taken.client.get(phone)).status, 200)
})

test('what is under way when its channel is deleted ends in order, and what comes after is 401', async (t) => {
  const { relay, client, phone, waba, acme, channel, hub } = await startRelayedFacade(t)
  const { id } = (await postForm(client, `${phone}/media`, [PNG])).body
  const caught = [
    relay.catch('/messages'),
    relay.catch('/message_templates'),
    relay.catch('/media'),
    relay.catch(`/${id}`),
  ]

  const asking = [
    client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } }),
    client.delete(`${waba}/message_templates?name=x`),
    postForm(client, `${phone}/media`, [PNG]),
    client.get(`/upstream/${id}`),
  ]
  const [message, template, media, node] = await Promise.all(caught)
  const deleted = await acme.delete(`/api/v1/channels/${channel.id}`)
  message?.answer(200, ANSWER)
  template?.answer(200, '{"success":true}')
  media?.request.resume().once('end', () => media.answer(200, '{"id":"5"}'))
  node?.answer(401, '{"error":{"message":"gone","type":"OAuthException","code":190}}')
  const answers = await Promise.all(asking)
  const after = await client.get(phone)

  assert.equal(deleted.status, 200)
  assert.deepEqual(answers.map(told), [
    [200, 'ok'],
    [200, 'ok'],
    [404, 'NOT_FOUND'],
    [502, 'UPSTREAM_UNAVAILABLE'],
  ])
  assert.deepEqual(told(after), [401, 'UNAUTHORIZED'])
  const rows = await hub.sql`select media_id from channel_media where channel_id = ${channel.id} and media_id = '5'`
  assert.equal(rows.length, 0)
})

test('a request that began under a token may end after the token was replaced; the next one may not begin', async (t) => {
  const { relay, client, phone, acme, channel, hub } = await startRelayedFacade(t)
  const catching = relay.catch('/messages')

  const sending = client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } })
  const { answer } = await catching
  const renewed = await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)
  answer(200, ANSWER)
  const fresh = hub.anonymous.with(bearer(renewed.body.data.token))

  assert.equal((await sending).status, 200)
  assert.equal((await client.get(phone)).status, 401)
  assert.equal((await fresh.get(phone)).status, 200)
})

test('a suspended organization sends nothing through the facade either, and can still read', async (t) => {
  const { client, phone, acme, hub, log, asked } = await startFacade(t, { env: { BILLING: 'sandbox' } })
  await hub.sql`
    insert into subscriptions (organization_id, status) values (${acme.organizationId}, 'suspended')
    on conflict (organization_id) do update set status = excluded.status`

  const refused = await client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } })
  const untouched = await asked()
  const read = await client.get(phone)

  assert.deepEqual(told(refused), [403, 'SUBSCRIPTION_SUSPENDED'])
  assert.deepEqual([untouched, await log()], [[], []])
  assert.equal(read.status, 200)
})

test('of many uses of a credential that has died, one event tells of it', async (t) => {
  const { client, phone, waba, up, channel, eventsOf, statusOfChannel } = await startFacade(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => client.get(index % 2 ? phone : `${waba}/message_templates`)),
  )

  for (const answer of answers) assert.ok([502, 400].includes(answer.status), answer.text)
  assert.equal(await statusOfChannel(), 'disconnected')
  assert.equal((await eventsOf('channel.disconnected')).length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN } from '../../../../test/hub.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { MEDIA_TYPES } from '../../../upstream/files/media.ts'
import { buildEnv } from '../../webhooks/test/fixture.ts'
import { newContact, startFacade } from '../test/fixture.ts'

type File = { id: string; url: string }
type Body = {
  data?: { message: { content: File } }
  entry?: { changes: { value: { messages: Record<string, File>[] } }[] }[]
}

test('each file that a customer sends is served at the address of its delivery, to its own channel with messages:read', {
  rules: ['payload.hub-media-urls-serve-the-bytes'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const { hub, acme, channel, client, up } = await startFacade(t, { env: buildEnv(receiver) })
  const other = await createChannel(acme)
  const unread = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const outsider = await createChannel(await hub.organization())
  for (const payload_mode of ['normalized', 'upstream_raw']) {
    const kinds = { normalized: 'message.received', upstream_raw: 'upstream.raw' }
    const event_types = [kinds[payload_mode as keyof typeof kinds]]
    const webhook = { name: 'CRM', url: receiver.url, payload_mode, event_types, media_urls: 'hub' }
    assert.equal((await acme.post('/api/v1/webhooks', webhook)).status, 201)
  }

  for (const type of MEDIA_TYPES) {
    const message = { to: channel.number.phoneNumberId, type }
    await up.simulator.control('POST', `/contacts/${newContact()}/messages`, message)
  }
  await hub.deliver()

  const files = receiver.received.map(({ body }) => {
    const { data, entry } = JSON.parse(body.toString()) as Body
    const message = entry?.[0]?.changes[0]?.value.messages[0]
    return data?.message.content ?? MEDIA_TYPES.map((type) => message?.[type]).find((file) => file)
  })
  assert.equal(files.length, 2 * MEDIA_TYPES.length)
  for (const file of files) {
    assert.equal(file?.url, `${ORIGIN}/graph/${file?.id}/content`)
    const path = new URL(file.url).pathname
    const served = await client.get(path)
    const refused = [
      await hub.anonymous.get(path),
      await unread.get(path),
      await hub.anonymous.with({ authorization: `Bearer ${other.token}` }).get(path),
      await hub.anonymous.with({ authorization: `Bearer ${outsider.token}` }).get(path),
    ]
    assert.equal(served.status, 200, served.text)
    assert.ok(served.text.length > 0)
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.error.code]),
      [
        [401, 190],
        [403, 10],
        [400, 100],
        [400, 100],
      ],
    )
  }
})

for (const [what, env, graphUrl] of [
  ['PUBLIC_URL/graph without GRAPH_URL', {}, `${ORIGIN}/graph`],
  ['GRAPH_URL if it is set', { GRAPH_URL: 'http://graph.localhost:8080' }, 'http://graph.localhost:8080'],
] as const) {
  test(`graph_url of a channel is ${what}, and so begin the addresses of files`, {
    rules: ['payload.hub-media-urls-lead-to-the-hub', 'channel.shows-its-graph-url'],
  }, async (t) => {
    const receiver = await startReceiver(t)
    const { hub, acme, channel, client, up } = await startFacade(t, { env: buildEnv(receiver, env) })
    const webhook = { name: 'CRM', url: receiver.url, event_types: ['message.received'], media_urls: 'hub' }
    await acme.post('/api/v1/webhooks', webhook)
    const path = `/api/v1/channels/${channel.id}`

    const shown = [
      (await acme.get(path)).body.data.channel,
      (await client.get(path)).body.data.channel,
      (await acme.get('/api/v1/channels')).body.data.channels[0],
      (await acme.patch(path, { name: 'new' })).body.data.channel,
    ]
    const message = { to: channel.number.phoneNumberId, type: 'image' }
    await up.simulator.control('POST', `/contacts/${newContact()}/messages`, message)
    await hub.deliver()

    assert.deepEqual(
      shown.map(({ graph_url }) => graph_url),
      shown.map(() => graphUrl),
    )
    const { content } = JSON.parse(receiver.received[0]?.body.toString() ?? '').data.message
    assert.equal(content.url, `${graphUrl}/${content.id}/content`)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN } from '../../../../test/hub.ts'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import type { Received } from '../../../../test/receiver.ts'
import type { NewEvent } from '../../events/catalog.ts'
import { createRequests, startSecondHub, startWebhooks } from '../test/fixture.ts'
import { isSignedWith } from '../test/signature.ts'

const META = 'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=71'
const HUB = `${ORIGIN}/graph/71/content`

function buildRaw(url: string): Buffer {
  const image = `{ "id":"71","url" :"${url}","caption":"é\\u00e9","n":1.50e+2 }`
  return Buffer.from(
    `{"entry":[{"changes":[{"field":"messages","value":{"messages":[{"type":"image","image":${image}}]}}]}]}\n`,
  )
}

const RAW: Partial<NewEvent> = { kind: 'upstream.raw', raw: buildRaw(META) }
const RECEIVED: Partial<NewEvent> = {
  kind: 'message.received',
  data: { message: { id: 'm', type: 'image', content: { id: '71', url: META } } },
}

function readUrl({ body }: Received): string {
  const { data, entry } = JSON.parse(body.toString())
  return (data?.message.content ?? entry[0].changes[0].value.messages[0].image).url
}

test('media_urls is upstream if it is left out, and creation and PATCH set it', {
  rules: ['endpoint.media-urls-is-upstream-by-default'],
}, async (t) => {
  const { acme, endpoint, show, patch } = await startWebhooks(t)

  const [plain, hub] = [await endpoint(), await endpoint({ media_urls: 'hub' })]
  const created = [await show(plain), await show(hub)]
  await patch(plain, { media_urls: 'hub' })
  await patch(hub, { name: 'other' })
  const changed = [await show(plain), await show(hub)]
  const listed = (await acme.get('/api/v1/webhooks')).body.data.webhooks

  assert.deepEqual([plain.media_urls, hub.media_urls], ['upstream', 'hub'])
  assert.deepEqual(
    created.map(({ media_urls }) => media_urls),
    ['upstream', 'hub'],
  )
  assert.deepEqual(
    changed.map(({ media_urls }) => media_urls),
    ['hub', 'hub'],
  )
  assert.deepEqual(
    listed.map(({ media_urls }: { media_urls: string }) => media_urls),
    ['hub', 'hub'],
  )
})

test('another value of media_urls is 400, and nothing changes', {
  rules: ['endpoint.media-urls-is-upstream-by-default'],
}, async (t) => {
  const { acme, endpoint, show } = await startWebhooks(t)
  const crm = await endpoint()
  const path = `/api/v1/webhooks/${crm.id}`

  const refused = [
    await acme.post('/api/v1/webhooks', { name: 'CRM', url: crm.url, media_urls: 'meta' }),
    await acme.patch(path, { media_urls: '' }),
    await acme.patch(path, { media_urls: null }),
    await acme.patch(path, { media_urls: ['hub'] }),
  ]

  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'])
  assert.equal((await show(crm)).media_urls, 'upstream')
})

test('another organization cannot change media_urls, and its own endpoints keep theirs', {
  rules: ['endpoint.media-urls-is-upstream-by-default'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, show, arrived } = await startWebhooks(t)
  const crm = await endpoint({ media_urls: 'hub' })
  const globex = await hub.organization()
  const theirs = createRequests(hub, receiver, globex)
  const other = await theirs.endpoint()

  const foreign = await globex.patch(`/api/v1/webhooks/${crm.id}`, { media_urls: 'upstream' })
  await publish(RECEIVED)
  await theirs.publish(RECEIVED)
  await hub.deliver()

  assert.equal(foreign.status, 404)
  assert.equal((await show(crm)).media_urls, 'hub')
  assert.deepEqual(
    [arrived(crm), theirs.arrived(other)].map((all) => all.map(readUrl)),
    [[HUB], [META]],
  )
})

test('the audit log has a change of media_urls', {
  rules: ['endpoint.media-urls-is-upstream-by-default'],
}, async (t) => {
  const { acme, endpoint, patch } = await startWebhooks(t)
  const crm = await endpoint()

  await patch(crm, { media_urls: 'hub' })

  const { details } = (await listAuditEntries(acme, crm.id)).at(-1) ?? {}
  assert.deepEqual(details, { media_urls: 'hub', changes: { media_urls: { from: 'upstream', to: 'hub' } } })
})

for (const payload_mode of ['normalized', 'upstream_raw']) {
  for (const delivery_format of ['native', 'compat']) {
    test(`a ${delivery_format} delivery in the mode ${payload_mode} has the hub's address, and is signed over it`, {
      rules: ['payload.hub-media-urls-lead-to-the-hub', 'payload.hub-media-urls-are-signed'],
    }, async (t) => {
      const { hub, endpoint, publish, arrived } = await startWebhooks(t)
      const [rewritten, plain] = [
        await endpoint({ payload_mode, delivery_format, media_urls: 'hub' }),
        await endpoint({ payload_mode, delivery_format }),
      ]

      await publish(RAW, RECEIVED)
      await hub.deliver()

      const [[own], [other]] = [arrived(rewritten), arrived(plain)]
      assert.deepEqual([readUrl(own!), readUrl(other!)], [HUB, META])
      assert.equal(own?.body.toString(), other?.body.toString().replace(META, HUB))
      assert.ok(isSignedWith(own!, rewritten.secret))
      assert.ok(isSignedWith(other!, plain.secret))
    })
  }
}

test('a raw delivery differs from what the upstream sent in the address alone', {
  rules: ['payload.hub-media-urls-change-nothing-else'],
}, async (t) => {
  const { hub, endpoint, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint({ payload_mode: 'upstream_raw', media_urls: 'hub' })

  await publish(RAW)
  await hub.deliver()

  assert.deepEqual(arrived(crm)[0]?.body, buildRaw(HUB))
})

test('a retry and a replay follow the media_urls that the endpoint has at that time', {
  rules: ['payload.hub-media-urls-follow-the-claim'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, patch, arrived, only, replay } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish(RECEIVED)
  await hub.deliver()

  await patch(crm, { media_urls: 'hub' })
  receiver.answer(200)
  await hub.clock.advance('1 minute')
  await hub.deliver()
  const delivered = await only(crm)
  await patch(crm, { media_urls: 'upstream' })
  await replay(crm, delivered)
  await hub.deliver()

  assert.deepEqual(arrived(crm).map(readUrl), [META, HUB, META])
  for (const one of arrived(crm)) assert.ok(isSignedWith(one, crm.secret))
})

test('the deliveries of an attempt in flight and of other endpoints are not touched by a PATCH', {
  rules: ['payload.hub-media-urls-follow-the-claim'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, patch, arrived, only } = await startWebhooks(t)
  const [crm, other] = [await endpoint(), await endpoint()]
  await publish(RECEIVED)
  receiver.hold()
  const delivering = hub.deliver()
  await receiver.until(2)

  await patch(crm, { media_urls: 'hub' })
  receiver.letGo()
  await delivering

  assert.deepEqual([...arrived(crm), ...arrived(other)].map(readUrl), [META, META])
  assert.equal((await only(crm)).status, 'succeeded')
})

test('after a PATCH every process sends the new addresses, however many deliveries and changes run at once', {
  rules: ['payload.hub-media-urls-follow-the-claim'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, patch, arrived } = await startWebhooks(t)
  const second = await startSecondHub(t, receiver)
  const other = createRequests(second, receiver, acme)
  const crm = await endpoint({ payload_mode: 'upstream_raw' })
  await Promise.all([hub, second].map((process) => process.deliver()))

  await Promise.all([
    ...Array.from({ length: 20 }, (_, i) => (i % 2 ? publish(RAW) : other.publish(RAW))),
    ...Array.from({ length: 9 }, (_, i) => patch(crm, { media_urls: i % 2 ? 'hub' : 'upstream' })),
    hub.deliver(),
    second.deliver(),
  ])
  await patch(crm, { media_urls: 'hub' })
  const before = arrived(crm).length
  await Promise.all([publish(RAW), other.publish(RAW)])
  await Promise.all([hub.deliver(), second.deliver()])

  const all = arrived(crm)
  assert.equal(all.length, 22)
  for (const one of all) {
    assert.ok([buildRaw(META), buildRaw(HUB)].some((body) => body.equals(one.body)))
    assert.ok(isSignedWith(one, crm.secret))
  }
  assert.deepEqual(new Set(all.slice(before).map(readUrl)), new Set([HUB]))
})

test('a person who reveals a delivery sees the addresses that an attempt sends now, and their size', {
  rules: ['payload.hub-media-urls-show-when-revealed'],
}, async (t) => {
  const { hub, acme, endpoint, publish, patch, only } = await startWebhooks(t)
  const crm = await endpoint({ payload_mode: 'upstream_raw', media_urls: 'hub' })
  const person = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await publish(RAW)
  await hub.deliver()
  const path = `/console/webhooks/${crm.id}/deliveries/${(await only(crm)).id}`
  const look = async () => ({
    body: Buffer.from((await person.post(`${path}/reveal`)).body.data.body_base64, 'base64'),
    bytes: (await person.get(`${path}/payload`)).body.data.bytes,
  })

  const revealed = await look()
  await patch(crm, { media_urls: 'upstream' })
  const later = await look()

  assert.deepEqual(revealed, { body: buildRaw(HUB), bytes: buildRaw(HUB).length })
  assert.deepEqual(later, { body: buildRaw(META), bytes: buildRaw(META).length })
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import type { Lookup } from '../../kernel/net/lookup.ts'

const FREE_CHANNELS = 2

test('the free plan allows two channels, and the error has the limit and the usage', {
  rules: ['billing.quota-exceeded-is-403', 'billing.free-plan'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  for (let made = 0; made < FREE_CHANNELS; made++) await createChannel(acme)

  const refused = await acme.post('/api/v1/channels', { name: 'third' })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'QUOTA_EXCEEDED')
  assert.partialDeepStrictEqual(refused.body.error.details, { quota: 'channels', limit: 2, used: 2 })
  assert.equal((await acme.get('/api/v1/channels')).body.data.channels.length, 2)
})

test('as many of twenty concurrent creations in two processes succeed as the plan allows', async (t) => {
  const [hub, other] = [await startHub(t), await startHub(t)]

  for (let round = 0; round < 5; round++) {
    const acme = await hub.organization()
    const elsewhere = other.anonymous.with({ authorization: `Bearer ${acme.key}` })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? acme : elsewhere).post('/api/v1/channels', { name: `n${i}` })),
    )

    const counts = Object.groupBy(answers, ({ status }) => String(status))
    assert.deepEqual([counts['201']?.length, counts['403']?.length], [FREE_CHANNELS, 20 - FREE_CHANNELS])
    assert.equal((await acme.get('/api/v1/channels')).body.data.channels.length, FREE_CHANNELS)
  }
})

test('a deletion frees quota at once', { rules: ['deletion.frees-the-slot-at-once'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  await createChannel(acme)

  await acme.delete(`/api/v1/channels/${id}`)
  const again = await acme.post('/api/v1/channels', { name: 'again' })
  const full = await acme.post('/api/v1/channels', { name: 'one too many' })

  assert.deepEqual([again.status, full.status], [201, 403])
})

test("an organization's channels do not count against another's quota", async (t) => {
  const hub = await startHub(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  for (let made = 0; made < FREE_CHANNELS; made++) await createChannel(acme)

  const created = await other.post('/api/v1/channels', { name: 'first' })

  assert.equal(created.status, 201)
})

const PUBLIC: Lookup = async () => [{ address: '93.184.216.34', family: 4 }]
const URL = 'https://hooks.example.com/in'

async function seedChannels(hub: TestHub, organizationId: string, count: number): Promise<void> {
  await hub.sql`
    insert into channels (organization_id, id, name)
    select ${organizationId}, hub_id(), 'seeded'
    from generate_series(1, ${count})`
}

async function seedEndpoints(hub: TestHub, organizationId: string, count: number): Promise<void> {
  await hub.sql`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
    select ${organizationId}, hub_id(), 'seeded', ${URL}, 'sealed', '{}', 'normalized', 'native', true
    from generate_series(1, ${count})`
}

test('with billing off an organization has up to 10,000 channels and 1,000 endpoints, also under concurrency', {
  rules: ['billing.off-limits-nothing', 'billing.off-has-installation-limits'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off' }, lookup: PUBLIC })
  const acme = await hub.organization()
  await seedChannels(hub, acme.organizationId, 9998)
  await seedEndpoints(hub, acme.organizationId, 999)
  const post = (path: string, body: object) => acme.post(`/api/v1${path}`, { name: 'one more', ...body })

  const withEndpoints = await Promise.all(Array.from({ length: 3 }, () => post('/channels', { webhook_url: URL })))
  const channels = await Promise.all(Array.from({ length: 3 }, () => post('/channels', {})))
  const endpoint = await post('/webhooks', { url: URL })

  assert.deepEqual(withEndpoints.map(({ status }) => status).sort(), [201, 403, 403])
  assert.deepEqual(channels.map(({ status }) => status).sort(), [201, 403, 403])
  assert.partialDeepStrictEqual(endpoint.body.error.details, { quota: 'webhook_endpoints', limit: 1000, used: 1000 })
  const refused = channels.find(({ status }) => status === 403)
  assert.equal(refused?.body.error.code, 'QUOTA_EXCEEDED')
  assert.partialDeepStrictEqual(refused?.body.error.details, { quota: 'channels', limit: 10_000, used: 10_000 })
})

test('MAX_CHANNELS and MAX_ENDPOINTS bound what is added, and what exists above them can be changed', {
  rules: ['billing.off-has-installation-limits', 'billing.what-is-above-a-limit-stays'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off', MAX_CHANNELS: '2', MAX_ENDPOINTS: '3' }, lookup: PUBLIC })
  const acme = await hub.organization()
  await seedChannels(hub, acme.organizationId, 5)
  await seedEndpoints(hub, acme.organizationId, 5)
  const { channels } = (await acme.get('/api/v1/channels')).body.data
  const { webhooks } = (await acme.get('/api/v1/webhooks')).body.data

  const channel = await acme.post('/api/v1/channels', { name: 'one more' })
  const endpoint = await acme.post('/api/v1/webhooks', { name: 'one more', url: URL })
  const renamed = await acme.patch(`/api/v1/channels/${channels[4].id}`, { name: 'renamed' })
  const paused = await acme.patch(`/api/v1/webhooks/${webhooks[4].id}`, { status: 'paused' })

  assert.partialDeepStrictEqual(channel.body.error.details, { quota: 'channels', limit: 2, used: 5 })
  assert.partialDeepStrictEqual(endpoint.body.error.details, { quota: 'webhook_endpoints', limit: 3, used: 5 })
  assert.deepEqual([renamed.status, paused.status], [200, 200])
})

test('the refusal of a limit of one reads as a sentence', async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off', MAX_CHANNELS: '1' } })
  const acme = await hub.organization()
  await seedChannels(hub, acme.organizationId, 1)

  const { body } = await acme.post('/api/v1/channels', { name: 'one more' })

  assert.equal(body.error.message, 'The limit of an organization for channels is 1. Delete one.')
})

/** An organization of 101 channels whose endpoints list `used` of the 20,000 channel_ids that it may have. */
async function startWithLinks(t: TestContext, used: number) {
  const hub = await startHub(t, { env: { BILLING: 'off' }, lookup: PUBLIC })
  const acme = await hub.organization()
  const { organizationId } = acme
  await seedChannels(hub, organizationId, 101)
  await seedEndpoints(hub, organizationId, 201)
  await hub.sql`
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
    select e.organization_id, e.id, c.id
    from (select organization_id, id, row_number() over (order by id) as place from webhook_endpoints
          where organization_id = ${organizationId}) e
    join (select organization_id, id, row_number() over (order by id) as place from channels
          where organization_id = ${organizationId}) c on c.place <= 100
    order by e.place, c.place
    limit ${used}`
  await hub.sql`
    update webhook_endpoints e
    set all_channels = false
    where organization_id = ${organizationId}
      and exists (select from webhook_endpoint_channels c where c.endpoint_id = e.id)`
  const ids = (await acme.get('/api/v1/channels')).body.data.channels.map(({ id }: { id: string }) => id)
  const { webhooks } = (await acme.get('/api/v1/webhooks')).body.data
  const countLinks = async () => {
    const [row] = await hub.sql<{ count: number }[]>`
      select count(*)::int as count from webhook_endpoint_channels where organization_id = ${organizationId}`
    return row?.count
  }
  return { acme, ids: ids as string[], webhooks, countLinks }
}

test('concurrent creations and changes add up to 20,000 channel_ids in an organization', {
  rules: ['endpoint.lists-at-most-20000-channel-ids'],
}, async (t) => {
  const { acme, ids, webhooks, countLinks } = await startWithLinks(t, 19_900)
  const created = { name: 'more', url: URL, all_channels: false, channel_ids: ids.slice(0, 60) }
  const listing = webhooks.filter((webhook: { channel_ids: string[] }) => webhook.channel_ids.length === 0)

  const answers = await Promise.all([
    acme.post('/api/v1/webhooks', created),
    acme.post('/api/v1/webhooks', created),
    acme.patch(`/api/v1/webhooks/${listing[0].id}`, { all_channels: false, channel_ids: ids.slice(0, 60) }),
    acme.patch(`/api/v1/webhooks/${listing[1].id}`, { all_channels: false, channel_ids: ids.slice(0, 60) }),
  ])

  const taken = answers.filter(({ status }) => status < 300)
  const refused = answers.filter(({ status }) => status === 403)
  assert.deepEqual([taken.length, refused.length], [1, 3])
  assert.partialDeepStrictEqual(refused[0]?.body.error.details, { quota: 'channel_ids', limit: 20_000, used: 19_960 })
  assert.equal(await countLinks(), 19_960)
})

test('above 20,000 channel_ids a list can be exchanged or shortened, and not extended', {
  rules: ['endpoint.lists-at-most-20000-channel-ids', 'endpoint.list-above-the-limit-can-shrink'],
}, async (t) => {
  const { acme, ids, webhooks, countLinks } = await startWithLinks(t, 20_050)
  const full = webhooks.find((webhook: { channel_ids: string[] }) => webhook.channel_ids.length === 100)
  const short = webhooks.find((webhook: { channel_ids: string[] }) => webhook.channel_ids.length === 50)
  const patch = (id: string, body: object) => acme.patch(`/api/v1/webhooks/${id}`, body)

  const exchanged = await patch(full.id, { channel_ids: ids.slice(1) })
  const shortened = await patch(full.id, { channel_ids: ids.slice(0, 99) })
  const extended = await patch(short.id, { channel_ids: ids.slice(0, 51) })
  const compat = await acme.post('/api/v1/channels', { name: 'compat', webhook_url: URL })
  const plain = await acme.post('/api/v1/webhooks', { name: 'every channel', url: URL })

  assert.deepEqual([exchanged.status, shortened.status], [200, 200])
  assert.partialDeepStrictEqual(
    [extended, compat].map(({ body }) => body.error.details),
    Array.from({ length: 2 }, () => ({ quota: 'channel_ids', limit: 20_000, used: 20_049 })),
  )
  assert.equal(plain.status, 201)
  assert.equal(await countLinks(), 20_049)
  assert.equal((await acme.get('/api/v1/channels')).body.data.channels.length, 101)
})

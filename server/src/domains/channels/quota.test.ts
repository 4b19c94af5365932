import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'

const FREE_CHANNELS = 2

test('the free plan allows two channels, and the error has the limit and the usage', {
  rules: ['CHE-06', 'D11-01', 'D4-13', 'ERR-18', 'LIM-19'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  for (let made = 0; made < FREE_CHANNELS; made++) await createChannel(acme)

  const refused = await acme.post('/api/v1/channels', { name: 'third' })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'QUOTA_EXCEEDED')
  assert.deepEqual(refused.body.error.details, { quota: 'channels', limit: 2, used: 2 })
  assert.equal((await acme.get('/api/v1/channels')).body.data.channels.length, 2)
})

test('of twenty concurrent creations in two processes as many succeed as the plan allows', async (t) => {
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

test('a deletion frees quota at once', { rules: ['DELC-03', 'LIM-21'] }, async (t) => {
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

/** The most that an organization may have without a plan. */
const UNBILLED_MAX = 10_000

test('with billing off an organization has up to 10,000 channels and 10,000 endpoints, also under concurrency', {
  rules: ['D11-04', 'D5-130'],
}, async (t) => {
  const hub = await startHub(t, {
    env: { BILLING: 'off' },
    lookup: async () => [{ address: '93.184.216.34', family: 4 }],
  })
  const acme = await hub.organization()
  const { organizationId } = acme
  await hub.sql`
    insert into channels (organization_id, id, name)
    select ${organizationId}, gen_random_uuid(), 'seeded'
    from generate_series(1, ${UNBILLED_MAX - 2})`
  await hub.sql`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
    select ${organizationId}, gen_random_uuid(), 'seeded', 'https://hooks.example.com/in', 'sealed', '{}', 'normalized',
      'native', true
    from generate_series(1, ${UNBILLED_MAX - 1})`
  const post = (path: string, body: object) => acme.post(`/api/v1${path}`, { name: 'one more', ...body })

  const withEndpoints = await Promise.all(
    Array.from({ length: 3 }, () => post('/channels', { webhook_url: 'https://hooks.example.com/in' })),
  )
  const channels = await Promise.all(Array.from({ length: 3 }, () => post('/channels', {})))
  const endpoint = await post('/webhooks', { url: 'https://hooks.example.com/in' })

  assert.deepEqual(withEndpoints.map(({ status }) => status).sort(), [201, 403, 403])
  assert.deepEqual(channels.map(({ status }) => status).sort(), [201, 403, 403])
  const full = { limit: UNBILLED_MAX, used: UNBILLED_MAX }
  assert.deepEqual(endpoint.body.error.details, { quota: 'webhook_endpoints', ...full })
  const refused = channels.find(({ status }) => status === 403)
  assert.equal(refused?.body.error.code, 'QUOTA_EXCEEDED')
  assert.deepEqual(refused?.body.error.details, { quota: 'channels', ...full })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestHub } from '../../../../test/hub.ts'
import { RETRY_MS_MAX } from '../attempts/retry-schedule.ts'
import { startSecondHub, startWebhooks, type WebhookFixture } from '../test/fixture.ts'

/** The number of an organization's rows by table. */
async function countRows({
  hub,
  acme,
}: WebhookFixture): Promise<{ events: number; deliveries: number; attempts: number }> {
  const [row] = await hub.sql<{ events: number; deliveries: number; attempts: number }[]>`
    select
      (select count(*)::int from events where organization_id = ${acme.organizationId}) as events,
      (select count(*)::int from deliveries where organization_id = ${acme.organizationId}) as deliveries,
      (select count(*)::int from delivery_attempts where organization_id = ${acme.organizationId}) as attempts`
  return row!
}

async function partitions({ sql }: TestHub, day: Date): Promise<string[]> {
  const suffix = `_p${day.toISOString().slice(0, 10).replaceAll('-', '')}`
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relname like ${`%${suffix}`} order by 1`
  return rows.map(({ name }) => name.replace(suffix, ''))
}

async function advanceDays({ clock, runJobs }: TestHub, days: number): Promise<void> {
  await clock.advance(`${days} days`)
  await runJobs()
}

test('deliveries, attempts and payloads are dropped by the day when nothing can need them', {
  rules: ['delivery.records-are-dropped-by-age'],
}, async (t) => {
  const fixture = await startWebhooks(t, { env: { RETENTION_EVENTS_DAYS: '11' } })
  const { hub, endpoint, publish, statuses, log } = fixture
  const crm = await endpoint()
  await hub.runJobs()
  const day = hub.clock.now()
  await publish({})
  await hub.deliver()

  const seen = []
  for (const days of [0, 12, 1, 10, 1]) {
    await advanceDays(hub, days)
    const kept = (await partitions(hub, day)).filter((name) => /^(events|deliveries|delivery_attempts)$/.test(name))
    seen.push({ ...(await countRows(fixture)), kept, log: await statuses(crm) })
  }

  const whole = { events: 1, deliveries: 1, attempts: 1, log: ['succeeded'] }
  const payload = { events: 1, deliveries: 0, attempts: 0, kept: ['events'], log: [] }
  const every = ['deliveries', 'delivery_attempts', 'events']
  assert.deepEqual(seen, [
    { ...whole, kept: every },
    { ...whole, kept: every },
    payload,
    payload,
    { events: 0, deliveries: 0, attempts: 0, kept: [], log: [] },
  ])
  assert.deepEqual(await log(crm), [])
})

test('without a setting, deliveries are kept for thirty days and payloads for forty-one', {
  rules: ['delivery.records-are-dropped-by-age'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, publish } = fixture
  await endpoint()
  await hub.runJobs()
  await publish({})
  await hub.deliver()

  const seen = []
  for (const days of [30, 1, 10, 1]) {
    await advanceDays(hub, days)
    const { events, deliveries } = await countRows(fixture)
    seen.push([deliveries, events])
  }

  assert.deepEqual(seen, [
    [1, 1],
    [0, 1],
    [0, 1],
    [0, 0],
  ])
})

test('a delivery past its retention cannot be replayed, read or recovered', async (t) => {
  const { hub, acme, endpoint, publish, only, replay, recover } = await startWebhooks(t, {
    env: { RETENTION_EVENTS_DAYS: '11' },
  })
  const crm = await endpoint()
  await publish({})
  for (const status of ['disabled', 'active']) await acme.patch(`/api/v1/webhooks/${crm.id}`, { status })
  const canceled = await only(crm)
  await advanceDays(hub, 1)
  await advanceDays(hub, 12)

  const shown = await acme.get(`/api/v1/webhooks/${crm.id}/deliveries/${canceled.id}`)
  const replayed = await replay(crm, canceled)
  const recovered = await recover(crm, { since: '2026-01-01T00:00:00.000Z' })

  assert.deepEqual([shown.status, replayed.status], [404, 404])
  assert.deepEqual(recovered.body.data, { queued: 0 })
})

test('the payload of a replay on the last day is kept for all its attempts', {
  rules: ['delivery.records-are-dropped-by-age'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, replay, log, arrived } = await startWebhooks(t, {
    env: { RETENTION_EVENTS_DAYS: '11' },
  })
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  await advanceDays(hub, 12)
  receiver.answer(500)
  await replay(crm, await only(crm))
  await hub.deliver()

  for (const days of Array(8).fill(1)) {
    await advanceDays(hub, days)
    await hub.deliver()
  }
  receiver.answer(200)
  await hub.clock.advance('23 hours')
  // Another process has no cached payloads.
  await (await startSecondHub(t, receiver)).deliver()

  const [replayed] = await log(crm)
  assert.equal(replayed?.status, 'succeeded')
  for (const one of arrived(crm)) assert.deepEqual(one.body, arrived(crm)[0]!.body)
})

test('a delivery that ends as late as it can, at the shortest retention, stays in the log for a day', {
  rules: ['delivery.stays-in-the-log-for-a-day'],
}, async (t) => {
  const { hub, endpoint, publish, only, patch } = await startWebhooks(t, { env: { RETENTION_EVENTS_DAYS: '11' } })
  const crm = await endpoint()
  await hub.runJobs()
  // The last moment of a day is the worst: its partition goes first.
  const msOfDay = hub.clock.now().getTime() % 86_400_000
  await hub.clock.advance(`${Math.floor((86_400_000 - msOfDay) / 1000) - 60} seconds`)
  await publish({})
  await patch(crm, { status: 'paused' })
  const lifeSeconds = Math.floor(RETRY_MS_MAX / 1000) + 4 * 86_400

  await hub.clock.advance(`${lifeSeconds} seconds`)
  await hub.runJobs()
  const ended = await only(crm)
  await hub.clock.advance('23 hours')
  await hub.runJobs()
  await hub.clock.advance('59 minutes')
  await hub.runJobs()

  assert.equal(ended.status, 'canceled')
  assert.deepEqual(await only(crm), ended)
})

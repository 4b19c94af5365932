import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId, toFirstId } from '../../../kernel/ids.ts'
import { createRequests, type Endpoint, startWebhooks, type WebhookFixture } from '../test/fixture.ts'
import { insertRecovered } from './store.ts'

const SINCE = '2026-01-01T00:00:00.000Z'

type Made = { status?: string; kind?: string; at?: string; replayOf?: string | null; count?: number }

/** Inserts final deliveries into the log: of new events, or as replays. */
async function insertFinal(
  { hub, acme }: Pick<WebhookFixture, 'hub' | 'acme'>,
  crm: Endpoint,
  made: Made = {},
): Promise<string[]> {
  const { status = 'dead', kind = 'account.update', at = hub.clock.now().toISOString(), count = 1 } = made
  const rows = await hub.sql<{ id: string }[]>`
    with made as materialized (
      select (${toFirstId(new Date(at)).slice(0, 13)} || substr(hub_id()::text, 14))::uuid as id,
        coalesce(d.event_id, hub_id()) as event_id
      from generate_series(1, ${count})
      left join deliveries d on d.id = ${made.replayOf ?? null}
    ),
    happened as (
      insert into events (organization_id, id, kind, channel_id, occurred_at, body)
      select ${acme.organizationId}, event_id, ${kind}, null, ${at}, convert_to('{}', 'UTF8')
      from made
      on conflict do nothing
    )
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at,
      created_at)
    select ${acme.organizationId}, ${crm.id}, id, event_id, ${kind}, ${made.replayOf ?? null}, ${status}, 10, ${at}, ${at}
    from made
    returning id`
  return rows.map(({ id }) => id)
}

/** The originals of an endpoint's queued replays. */
async function listReplayed({ hub }: Pick<WebhookFixture, 'hub'>, { id }: Endpoint): Promise<(string | null)[]> {
  const rows = await hub.sql<{ replay_of: string | null }[]>`
    select replay_of from delivery_queue where endpoint_id = ${id} order by replay_of`
  return rows.map(({ replay_of }) => replay_of)
}

test('a recovery replays dead and canceled deliveries, and no succeeded ones', {
  rules: ['recover.replays-a-period'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, recover, log, arrived } = fixture
  const crm = await endpoint()
  const [dead] = await insertFinal(fixture, crm, { status: 'dead' })
  const [canceled] = await insertFinal(fixture, crm, { status: 'canceled' })
  await insertFinal(fixture, crm, { status: 'succeeded' })
  const before = await log(crm)

  const answer = await recover(crm, { since: SINCE })
  const queued = await listReplayed(fixture, crm)
  const after = await log(crm)
  await hub.deliver()

  assert.deepEqual([answer.status, answer.body], [202, { data: { queued: 2 } }])
  assert.deepEqual(queued, [dead, canceled].toSorted())
  assert.deepEqual(after.slice(2), before)
  assert.equal(arrived(crm).length, 2)
  assert.deepEqual((await log(crm)).map(({ status }) => status).slice(0, 2), ['succeeded', 'succeeded'])
})

for (const [statuses, count] of [
  [['dead'], 1],
  [['canceled'], 2],
  [['dead', 'canceled'], 3],
] as const) {
  test(`a recovery of ${statuses.join(' or ')} deliveries skips the others`, {
    rules: ['recover.replays-a-period'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const crm = await fixture.endpoint()
    await insertFinal(fixture, crm, { status: 'dead' })
    await insertFinal(fixture, crm, { status: 'canceled', count: 2 })

    const { body } = await fixture.recover(crm, { since: SINCE, statuses })

    assert.equal(body.data.queued, count)
  })
}

test('a recovery includes since and excludes until', { rules: ['recover.replays-a-period'] }, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  const times = ['11:59:59.999Z', '12:00:00.000Z', '12:59:59.999Z', '13:00:00.000Z'].map((time) => `2026-03-01T${time}`)
  const ids = []
  for (const at of times) ids.push(...(await insertFinal(fixture, crm, { at })))

  const span = { since: '2026-03-01T12:00:00.000Z', until: '2026-03-01T10:00:00.000-03:00' }
  const { body } = await fixture.recover(crm, span)

  assert.equal(body.data.queued, 2)
  assert.deepEqual(await listReplayed(fixture, crm), ids.slice(1, 3).toSorted())
})

/** Recovers dead deliveries, and counts the rows of the log that the statement reads. */
async function countRecovery({ hub, acme }: WebhookFixture, crm: Endpoint, since: Date) {
  const key = { organizationId: acme.organizationId, endpointId: crm.id }
  const period = { sinceId: toFirstId(since), untilId: null, statuses: ['dead'] }

  /** Also of earlier transactions of the connection whose numbers are not published yet. */
  async function countRowsRead(tx: Tx): Promise<number> {
    const [row] = await tx`
      select sum(seq_tup_read + idx_tup_fetch)::int as read
      from pg_stat_xact_user_tables
      where relname like 'deliveries%'`
    return row?.read
  }
  return hub.sql.begin(async (tx) => {
    const before = await countRowsRead(tx)
    const recovered = await insertRecovered(tx, { ...key, ...period, limit: 100 })
    return { recovered, read: (await countRowsRead(tx)) - before }
  })
}

test('a recovery reads no deliveries from before its period', async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  await insertFinal(fixture, crm, { count: 2000, at: '2026-03-01T00:00:00.000Z' })
  await insertFinal(fixture, crm, { count: 3 })

  const { recovered, read } = await countRecovery(fixture, crm, new Date(fixture.hub.clock.now().getTime() - 3_600_000))

  assert.equal(recovered, 3)
  assert.ok(read < 20, `${read} rows were read`)
})

test('a recovery reads no succeeded deliveries but replays', async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  await insertFinal(fixture, crm, { count: 2000, status: 'succeeded' })
  const [first] = await insertFinal(fixture, crm, { count: 3 })
  await insertFinal(fixture, crm, { replayOf: first!, status: 'succeeded' })
  await fixture.hub.sql`analyze deliveries`

  const { recovered, read } = await countRecovery(fixture, crm, new Date(SINCE))

  assert.equal(recovered, 2)
  assert.ok(read < 20, `${read} rows were read`)
})

test('a recovery skips deliveries that have a replay, and tests', {
  rules: ['recover.skips-tests-and-replayed'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, replay, recover } = fixture
  const crm = await endpoint()
  const [one, two, three] = await insertFinal(fixture, crm, { count: 3 })
  await insertFinal(fixture, crm, { kind: 'webhook.test' })
  const [failedAgain] = await insertFinal(fixture, crm, { replayOf: one! })
  await replay(crm, { id: two! })

  const first = await recover(crm, { since: SINCE })
  const queued = await listReplayed(fixture, crm)
  await hub.clock.advance('1 minute')
  const second = await recover(crm, { since: SINCE })

  assert.equal(first.body.data.queued, 2)
  assert.deepEqual(queued, [two, three, failedAgain].toSorted())
  assert.equal(second.body.data.queued, 0)
})

test('a recovery includes canceled deliveries that are still in the queue', async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, publishMany, patch, recover, replay, log, arrived } = fixture
  const crm = await endpoint()
  await publishMany(3)
  await patch(crm, { status: 'disabled' })
  await patch(crm, { status: 'active' })
  const [newest] = await log(crm)
  await replay(crm, newest!)

  const { body } = await recover(crm, { since: SINCE })
  await hub.deliver()

  assert.equal(body.data.queued, 2)
  assert.equal(arrived(crm).length, 3)
})

test('a recovery skips deliveries whose payload is past its retention', async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  await insertFinal(fixture, crm)
  await fixture.hub.sql`delete from events where organization_id = ${fixture.acme.organizationId}`

  assert.equal((await fixture.recover(crm, { since: SINCE })).body.data.queued, 0)
})

test('a recovery replays at most 10,000 deliveries, the oldest first', {
  rules: ['recover.replays-a-period'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, recover } = fixture
  const crm = await endpoint()
  const old = await insertFinal(fixture, crm, { count: 10_000 })
  const late = await insertFinal(fixture, crm, { count: 3 })

  const first = await recover(crm, { since: SINCE })
  const queued = await listReplayed(fixture, crm)
  await hub.clock.advance('1 minute')
  const second = await recover(crm, { since: SINCE })

  assert.equal(first.body.data.queued, 10_000)
  assert.deepEqual(queued, old.toSorted())
  assert.equal(second.body.data.queued, 3)
  assert.equal((await listReplayed(fixture, crm)).filter((id) => late.includes(id!)).length, 3)
})

test('an endpoint may be recovered once a minute, and the refusal says when again', {
  rules: ['recover.once-a-minute'],
}, async (t) => {
  const { hub, endpoint, recover } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint()]

  const first = await recover(crm, { since: SINCE })
  const second = await recover(crm, { since: SINCE })
  const other = await recover(erp, { since: SINCE })
  await hub.clock.advance('1 minute')
  const later = await recover(crm, { since: SINCE })

  assert.deepEqual([first.status, second.status, other.status, later.status], [202, 429, 202, 202])
  assert.equal(second.body.error.code, 'RATE_LIMITED')
  const seconds = Number(second.headers.get('retry-after'))
  assert.ok(seconds >= 1 && seconds <= 60)
})

test('one of many concurrent recoveries is accepted, and nothing is replayed twice', {
  rules: ['recover.once-a-minute'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  await insertFinal(fixture, crm, { count: 5 })

  const answers = await Promise.all(Array.from({ length: 6 }, () => fixture.recover(crm, { since: SINCE })))

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, ...Array(5).fill(429)])
  assert.equal((await listReplayed(fixture, crm)).length, 5)
})

test("an endpoint that is not active, unknown or another organization's cannot be recovered, which does not count", {
  rules: ['recover.inactive-endpoint-is-404'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, patch, recover } = fixture
  const other = createRequests(hub, receiver, await hub.organization())
  const crm = await endpoint()
  await insertFinal(fixture, crm)

  const answers = [await recover({ id: newId() }, { since: SINCE }), await other.recover(crm, { since: SINCE })]
  for (const status of ['paused', 'disabled']) {
    await patch(crm, { status })
    answers.push(await recover(crm, { since: SINCE }))
  }
  await patch(crm, { status: 'active' })
  const active = await recover(crm, { since: SINCE })

  for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual(active.body.data, { queued: 1 })
})

const BODIES: [string, unknown][] = [
  ['no body', undefined],
  ['no since', {}],
  ['a since that is null', { since: null }],
  ['a since that is a number', { since: 1 }],
  ['a since that is a date alone', { since: '2026-01-01' }],
  ['a since that is no time', { since: 'yesterday' }],
  ['a since without a zone', { since: '2026-01-01T00:00:00' }],
  ['a day that does not exist', { since: '2026-02-30T00:00:00Z' }],
  ['an until that is no time', { since: SINCE, until: '' }],
  ['an until that is null', { since: SINCE, until: null }],
  ['an until before its since', { since: SINCE, until: '2000-01-01T00:00:00Z' }],
  ['an until at its since', { since: SINCE, until: SINCE }],
  ['no status at all', { since: SINCE, statuses: [] }],
  ['a status that cannot be recovered', { since: SINCE, statuses: ['succeeded'] }],
  ['a status twice', { since: SINCE, statuses: ['dead', 'dead'] }],
  ['a status that is no list', { since: SINCE, statuses: 'dead' }],
  ['an unknown property', { since: SINCE, limit: 5 }],
]

test('a recovery with a wrong body is refused, says where, and does not count', {
  rules: ['recover.replays-a-period'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { acme, endpoint, recover } = fixture
  const crm = await endpoint()
  await insertFinal(fixture, crm)

  for (const [what, body] of BODIES) {
    const refused = await acme.post(`/api/v1/webhooks/${crm.id}/recover`, body)

    assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_REQUEST'], what)
  }
  assert.equal((await recover(crm, { since: SINCE })).body.data.queued, 1)
})

test('a recovery accepts the earliest and the latest timestamps', async (t) => {
  const { hub, endpoint, recover } = await startWebhooks(t)
  const crm = await endpoint()
  const times = ['0001-01-01T00:00:00Z', '9999-12-30T23:59:59.999999999Z', '2026-01-01t00:00:00-14:59']

  for (const since of times) {
    assert.equal((await recover(crm, { since })).status, 202, since)
    await hub.clock.advance('1 minute')
  }
})

test('an accepted recovery is in the audit log with its period and count, a refused one is not', async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  await insertFinal(fixture, crm)

  await fixture.recover(crm, { since: SINCE, statuses: ['dead'] })
  await fixture.recover(crm, { since: SINCE })

  const entries = (await listAuditEntries(fixture.acme, crm.id)).filter(({ action }) => action === 'webhook.recovered')
  assert.deepEqual(
    entries.map(({ details }) => details),
    [{ since: SINCE, statuses: ['dead'], queued: 1 }],
  )
})

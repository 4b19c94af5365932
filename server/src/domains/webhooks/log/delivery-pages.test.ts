import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { contend } from '../../../../test/lock-contention.ts'
import { newId } from '../../../kernel/ids.ts'
import { startWebhooks } from '../test/fixture.ts'
import type { ConsoleDelivery } from './schemas.ts'

type Page = { deliveries: ConsoleDelivery[]; next_cursor: string | null }

const DAY_MS = 86_400_000
const ANA = '5511955500199'

/** An endpoint that is older than its log, with a person who reads it. */
async function startPages(t: TestContext) {
  const fixture = await startWebhooks(t)
  const { hub, acme } = fixture
  const crm = await fixture.endpoint()
  await hub.clock.advance('80 days')
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const now = hub.clock.now().getTime()

  /** A delivery of the log, with its event, as it was so many days ago. */
  async function add(row: {
    daysAgo?: number
    status?: string
    kind?: string
    httpStatus?: number | null
    channelId?: string | null
    body?: object
    eventDaysAgo?: number
  }): Promise<string> {
    const at = new Date(now - (row.daysAgo ?? 0) * DAY_MS)
    const eventAt = new Date(now - (row.eventDaysAgo ?? row.daysAgo ?? 0) * DAY_MS)
    const [id, eventId] = [newId(at), newId(eventAt)]
    const { status = 'succeeded', kind = 'message.received', httpStatus = 200, channelId = null, body = {} } = row
    await hub.sql`
      insert into events (organization_id, id, kind, channel_id, occurred_at, body)
      values (${acme.organizationId}, ${eventId}, ${kind}, ${channelId}, ${eventAt.toISOString()},
        ${Buffer.from(JSON.stringify(body))})`
    await hub.sql`
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at,
        last_http_status, created_at)
      values (${acme.organizationId}, ${crm.id}, ${id}, ${eventId}, ${kind}, ${status}, ${status === 'canceled' ? 0 : 1},
        ${at.toISOString()}, ${httpStatus}, ${at.toISOString()})`
    return id
  }

  async function readPage(query: string, cursor: string | null = null): Promise<Page> {
    const path = `/console/webhooks/${crm.id}/deliveries?${query}${cursor === null ? '' : `&cursor=${cursor}`}`
    const answer = await viewer.get(path)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  /** The ids of all pages. */
  async function readIds(query: string): Promise<string[]> {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await readPage(query, cursor)
      ids.push(...page.deliveries.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    return ids
  }
  return { ...fixture, viewer, crm, add, readPage, readIds, now }
}

test('the pages have every delivery that is kept, queued and final, once and newest first', {
  rules: ['delivery.console-pages-all-that-is-kept'],
}, async (t) => {
  const { publishMany, readIds, add, hub, crm } = await startPages(t)
  for (const daysAgo of [30, 20, 9, 8, 1]) await add({ daysAgo })
  await publishMany(4)
  await hub.deliver()
  await publishMany(3)
  const all = await hub.sql<{ id: string }[]>`
    select id from deliveries where endpoint_id = ${crm.id}
    union all
    select id from delivery_queue where endpoint_id = ${crm.id}
    order by id desc`

  for (const limit of [1, 2, 5, 100]) {
    assert.deepEqual(
      await readIds(`limit=${limit}`),
      all.map(({ id }) => id),
      `by ${limit}`,
    )
  }
  assert.equal(all.length, 12)
})

test('each filter of deliveries selects its own, also together with others', {
  rules: ['delivery.console-filters-combine'],
}, async (t) => {
  const { add, readIds, publish, now } = await startPages(t)
  const [one, two] = [newId(), newId()]
  const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString()
  const old = await add({ daysAgo: 30, channelId: one })
  const replay = await add({ daysAgo: 10, eventDaysAgo: 25, channelId: one, httpStatus: 204 })
  const dead = await add({ daysAgo: 5, status: 'dead', httpStatus: 503, channelId: two, kind: 'message.status' })
  const silent = await add({ daysAgo: 4, status: 'dead', httpStatus: null, channelId: two })
  const canceled = await add({ daysAgo: 3, status: 'canceled', httpStatus: null })
  const missing = await add({ daysAgo: 2, status: 'dead', httpStatus: 404, channelId: one })
  await publish({})
  const [pending] = await readIds('status=pending')

  const cases: [string, (string | undefined)[]][] = [
    ['', [pending, missing, canceled, silent, dead, replay, old]],
    ['status=dead', [missing, silent, dead]],
    ['status=pending', [pending]],
    ['status=processing', []],
    ['event=message.status', [dead]],
    ['event=account.update', [pending]],
    ['http_status=404', [missing]],
    ['http_status=4xx', [missing]],
    ['http_status=2xx', [replay, old]],
    ['http_status=204', [replay]],
    ['http_status=none', [silent]],
    [`channel_id=${one}`, [missing, replay, old]],
    [`channel_id=${two.toUpperCase()}&status=dead`, [silent, dead]],
    [`channel_id=${newId()}`, []],
    [`since=${daysAgo(4)}`, [pending, missing, canceled, silent]],
    [`until=${daysAgo(4)}`, [dead, replay, old]],
    [`since=${daysAgo(11)}&until=${daysAgo(4)}&http_status=5xx`, [dead]],
  ]
  for (const [query, expected] of cases) {
    for (const limit of [1, 100]) assert.deepEqual(await readIds(`${query}&limit=${limit}`), expected, query)
  }
})

test('a delivery is listed with its channel and its person, and with nothing that a person wrote', {
  rules: ['delivery.console-lists-channel-and-person'],
}, async (t) => {
  const { add, readPage } = await startPages(t)
  const channelId = newId()
  const message = {
    direction: 'inbound',
    from: ANA,
    contact: { name: 'Ana', user_id: 'BR.1' },
    content: { body: 'segredo' },
  }
  const body = { data: { message } }
  await add({ daysAgo: 2, channelId, kind: 'account.update', body })
  await add({ daysAgo: 1, channelId, body })
  await add({ channelId, body: { data: { message: { ...message, content: { body: 'x'.repeat(40_000) } } } } })

  const page = await readPage('')

  assert.deepEqual(
    page.deliveries.map(({ channel_id, person }) => [channel_id, person]),
    [
      [channelId, null],
      [channelId, { phone: ANA, user_id: 'BR.1' }],
      [channelId, null],
    ],
  )
  assert.ok(!/segredo|Ana/.test(JSON.stringify(page)))
})

test('a delivery that ends while a page is read is on it once', {
  rules: ['delivery.console-pages-all-that-is-kept'],
}, async (t) => {
  const { publish, readPage, crm } = await startPages(t)
  await publish({})

  const page = await contend(
    async (tx) => {
      await tx`lock table deliveries in access exclusive mode`
      await tx`
        with ended as (delete from delivery_queue where endpoint_id = ${crm.id} returning *)
        insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
        select organization_id, endpoint_id, id, event_id, event_kind, 'succeeded', 1, due_at, created_at
        from ended`
    },
    { waiting: 1, work: () => readPage('') },
  )

  assert.deepEqual(
    page.deliveries.map(({ status }) => status),
    ['succeeded'],
  )
})

test('a filter that few deliveries match looks through a bounded number for each page', {
  rules: ['delivery.console-page-is-bounded'],
}, async (t) => {
  const { add, readPage, hub, acme, crm, now } = await startPages(t)
  const rare = await add({ daysAgo: 6, status: 'dead', httpStatus: 410 })
  const since = new Date(now - DAY_MS).toISOString()
  await hub.sql`
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at,
      last_http_status, created_at)
    select ${acme.organizationId}, ${crm.id}, hub_id(), hub_id(), 'message.sent', 'succeeded', 1, ${since}::timestamptz, 200,
      ${since}::timestamptz
    from generate_series(1, 4500)`
  const pages: Page[] = []
  let cursor: string | null = null

  do {
    const page: Page = await readPage('http_status=410', cursor)
    pages.push(page)
    cursor = page.next_cursor
  } while (cursor !== null)

  assert.deepEqual(
    pages.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)),
    [rare],
  )
  assert.ok(pages.length >= 3, `${pages.length} pages`)
  assert.deepEqual(pages[0]?.deliveries, [])
})

test('a cursor belongs to its endpoint and filters, and invalid filters are refused', async (t) => {
  const { add, readPage, viewer, crm, endpoint } = await startPages(t)
  const other = await endpoint()
  await add({})
  await add({})
  const { next_cursor: cursor } = await readPage('limit=1')

  for (const path of [
    `${other.id}/deliveries?limit=1&cursor=${cursor}`,
    `${crm.id}/deliveries?limit=1&status=dead&cursor=${cursor}`,
    ...['http_status=6xx', 'status=lost', 'channel_id=1', 'since=yesterday', 'limit=101', 'offset=1', 'cursor=x'].map(
      (query) => `${crm.id}/deliveries?${query}`,
    ),
  ]) {
    const { status, body } = await viewer.get(`/console/webhooks/${path}`)
    assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'], path)
  }
})

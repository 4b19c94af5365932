import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { startHub } from '../../../../test/hub.ts'
import { holdTransaction, startHubWithUpstream, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { openRecordingPool } from '../../../../test/query-plans.ts'
import { newId } from '../../../kernel/ids.ts'
import type { ConsoleMessage } from './schemas.ts'
import { addMessage, type LogRow } from './test/log-rows.ts'

type Page = { messages: ConsoleMessage[]; next_cursor: string | null }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

async function readPage(who: Client, query: string, cursor: string | null = null): Promise<Page> {
  const answer = await who.get(`/console/messages?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** The ids of all pages. */
async function readIds(who: Client, query: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: Page = await readPage(who, query, cursor)
    ids.push(...page.messages.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  return ids
}

/** A hub whose organization is older than its log. */
async function startLog(t: Parameters<typeof startHub>[0]) {
  const hub = await startHub(t)
  const owner = await hub.person()
  await hub.clock.advance('80 days')
  const viewer = await hub.person({ organizationId: owner.organizationId, role: 'viewer' })
  const add = (row?: LogRow) => addMessage(hub, owner.organizationId, row)
  return { hub, viewer, organizationId: owner.organizationId, add }
}

test('the log has the messages of all channels, newest first and without content', {
  rules: ['log.lists-all-channels', 'log.entry-has-no-words-of-a-person'],
}, async (t) => {
  const { hub, connect } = await startHubWithUpstream(t)
  const owner = await hub.person()
  const [one, two] = [await connect(owner), await connect(owner)]
  for (const channel of [one, two]) {
    const headers = { 'idempotency-key': newId() }
    const template = { name: 'absent', language: { code: 'pt_BR' } }
    await owner.post(
      `/api/v1/channels/${channel.id}/messages`,
      { to: '5511955500199', type: 'text', text: { body: 'um segredo' } },
      { headers },
    )
    await owner.post(
      `/api/v1/channels/${channel.id}/messages`,
      { to: '5511955500199', type: 'template', template },
      { headers: { 'idempotency-key': newId() } },
    )
  }

  const answer = await owner.get('/console/messages')

  assert.ok(!answer.text.includes('segredo'))
  const { messages } = answer.body.data as Page
  assert.deepEqual(
    messages.map(({ channel_id, type, status }) => [channel_id, type, status]),
    [
      [two.id, 'template', 'failed'],
      [two.id, 'text', 'accepted'],
      [one.id, 'template', 'failed'],
      [one.id, 'text', 'accepted'],
    ],
  )
  const [failed, accepted] = messages
  assert.deepEqual(failed?.template, { name: 'absent', language: 'pt_BR' })
  assert.deepEqual(failed?.error, { code: 132001 })
  assert.deepEqual(accepted?.person, { phone: '5511955500199', user_id: null })
  assert.match(accepted?.upstream_message_id ?? '', /^wamid\./)
  assert.deepEqual(await readIds(owner, `id=${encodeURIComponent(accepted?.upstream_message_id ?? '')}`), [
    accepted?.id,
  ])
})

test('each filter selects its messages, also together with others', { rules: ['log.filters-combine'] }, async (t) => {
  const { hub, viewer, add } = await startLog(t)
  const now = hub.clock.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * DAY_MS)
  const channelId = newId()
  const error = '{"code":131047,"title":"Re-engagement message","details":null}'
  const [text, failed, unknown, received, hidden, template] = [
    await add({ channelId, at: daysAgo(70), recipient: '5511955500199' }),
    await add({ at: daysAgo(40), status: 'failed', error, recipient: '+5511955500188' }),
    await add({ channelId, at: daysAgo(30), status: 'unknown', recipient: '5511955500199' }),
    await add({ channelId, at: daysAgo(20), direction: 'inbound', sender: '5511955500199', type: 'image' }),
    await add({ direction: 'inbound', contact: '{"name":"x","user_id":"BR.1349"}', at: daysAgo(10) }),
    await add({ type: 'template', content: '{"name":"aviso","language":{"code":"pt_BR"}}', recipient: 'BR.1349' }),
  ]
  const cases: [string, (string | undefined)[]][] = [
    ['', [template, hidden, received, unknown, failed, text]],
    [`channel_id=${channelId}`, [received, unknown, text]],
    [`channel_id=${channelId.toUpperCase()}`, [received, unknown, text]],
    [`channel_id=${channelId}&direction=outbound`, [unknown, text]],
    [`channel_id=${channelId}&direction=inbound`, [received]],
    [`channel_id=${channelId}&status=unknown`, [unknown]],
    [`channel_id=${channelId}&type=image`, [received]],
    ['direction=inbound', [hidden, received]],
    ['direction=outbound', [template, unknown, failed, text]],
    ['direction=inbound&status=sent', []],
    ['status=failed', [failed]],
    ['status=unknown', [unknown]],
    ['status=sent', [template, text]],
    ['status=received&type=image', [received]],
    ['type=template', [template]],
    ['template=aviso', [template]],
    ['template=other', []],
    ['error_code=131047', [failed]],
    ['error_code=131026', []],
    ['person=5511955500199', [received, unknown, text]],
    ['person=%2B5511955500188', [failed]],
    ['person=5511955500188', [failed]],
    ['person=BR.1349', [template, hidden]],
    ['person=BR.134', []],
    ['person=BR.1349&direction=inbound', [hidden]],
    ['person=5511955500199&status=received', [received]],
    ['person=5511955500199&type=absent', []],
    [`person=5511955500199&since=${daysAgo(25).toISOString()}`, [received]],
    [`person=5511955500199&until=${daysAgo(25).toISOString()}`, [unknown, text]],
    [`person=5511955500199&channel_id=${newId()}`, []],
    [`person=5511955500199&id=${failed}`, []],
    [`person=5511955500188&id=${failed}`, [failed]],
    ['number_end=0199', [received, unknown, text]],
    ['number_end=5550-01', []],
    ['name=X', [hidden]],
    ['name=X&person=BR.1349', [hidden]],
    ['name=X&person=5511955500199', []],
    [`id=${failed}`, [failed]],
    [`id=${failed?.toUpperCase()}&status=failed`, [failed]],
    [`id=${failed}&status=sent`, []],
    [`id=${newId()}`, []],
    ['id=wamid.unknown', []],
    [`since=${daysAgo(30).toISOString()}`, [template, hidden, received, unknown]],
    [`until=${daysAgo(30).toISOString()}`, [failed, text]],
    [`since=${daysAgo(41).toISOString()}&until=${daysAgo(11).toISOString()}`, [received, unknown, failed]],
  ]

  for (const [query, expected] of cases) {
    for (const limit of [1, 2, 100]) {
      assert.deepEqual(await readIds(viewer, `${query}&limit=${limit}`), expected, `${query} by ${limit}`)
    }
  }
})

test('several statuses select the messages of each, and a direction those that it can have', {
  rules: ['log.filters-combine'],
}, async (t) => {
  const { hub, viewer, add } = await startLog(t)
  const daysAgo = (days: number) => new Date(hub.clock.now().getTime() - days * DAY_MS)
  const channelId = newId()
  const [sent, failed, unknown, received, foreign] = [
    await add({ channelId, at: daysAgo(70), recipient: '5511955500199' }),
    await add({ channelId, at: daysAgo(40), status: 'failed' }),
    await add({ channelId, at: daysAgo(30), status: 'unknown', recipient: '5511955500199' }),
    await add({ channelId, at: daysAgo(20), direction: 'inbound', sender: '5511955500199', type: 'image' }),
    await add({ at: daysAgo(10), status: 'failed' }),
  ]

  for (const [query, expected] of [
    ['status=failed,unknown', [foreign, unknown, failed]],
    ['status=unknown,failed,failed', [foreign, unknown, failed]],
    ['status=received,sent&type=text', [sent]],
    ['direction=inbound&status=sent,received', [received]],
    ['direction=outbound&status=sent,received', [sent]],
    ['direction=inbound&status=sent,failed', []],
    [`channel_id=${channelId}&status=received,failed,sent`, [received, failed, sent]],
    [`channel_id=${channelId}&status=delivered,sending`, []],
    ['person=5511955500199&status=received,unknown', [received, unknown]],
  ] as const) {
    for (const limit of [1, 100]) {
      assert.deepEqual(await readIds(viewer, `${query}&limit=${limit}`), expected, `${query} by ${limit}`)
    }
  }
})

test('a page takes two statements at most, and continues where it stopped to look', {
  rules: ['log.page-is-bounded'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startHub(t, { installation: { sql }, hasTimers: false })
  const owner = await hub.person()
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, content)
    select ${owner.organizationId}, ${newId()}::uuid, hub_id(), 'outbound', 'text', 'sent', '{}'
    from generate_series(1, 10100)`
  const rare = await addMessage(hub, owner.organizationId, {
    type: 'sticker',
    at: new Date(hub.clock.now().getTime() - HOUR_MS),
  })
  let pages = 0
  let cursor: string | null = null
  const found: string[] = []

  do {
    statements.length = 0
    const page: Page = await readPage(owner, 'type=sticker&limit=10', cursor)
    found.push(...page.messages.map(({ id }) => id))
    cursor = page.next_cursor
    pages += 1
    const read = statements.filter(({ text }) => /from messages/.test(text))
    assert.ok(read.length <= 2, `${read.length} statements`)
  } while (cursor !== null)

  assert.deepEqual(found, [rare])
  assert.ok(pages >= 3, `${pages} pages`)
})

test('another organization sees none of the messages, nor with a cursor of the first', {
  rules: ['message.foreign-one-is-404'],
}, async (t) => {
  const { hub, viewer, add } = await startLog(t)
  const other = await hub.person()
  const channelId = newId()
  const id = await add({ channelId, recipient: '5511955500199' })
  await add({ channelId, recipient: '5511955500199' })
  const own = await addMessage(hub, other.organizationId, { channelId, recipient: '5511955500199' })
  const { next_cursor: cursor } = await readPage(viewer, 'limit=1')

  for (const query of ['', `id=${id}`, `channel_id=${channelId}`, 'person=5511955500199']) {
    const seen = (await readIds(other, query)).filter((seenId) => seenId !== own)
    assert.deepEqual(seen, [], query)
  }
  const foreign = await other.get(`/console/messages?limit=1&cursor=${cursor}`)
  assert.deepEqual([foreign.status, foreign.body.error.code], [400, 'INVALID_REQUEST'])
  const changed = await viewer.get(`/console/messages?limit=1&type=text&cursor=${cursor}`)
  assert.equal(changed.status, 400)
  const reordered = await viewer.get(`/console/messages?cursor=${cursor}&limit=1`)
  assert.equal(reordered.status, 200)
})

test('texts of other people that the database cannot decode break no page', async (t) => {
  const { viewer, add } = await startLog(t)
  const hostile = '"\\u0000 \\ud800 \\udc00"'
  const contact = `{"name":${hostile},"user_id":"BR.7"}`
  const error = `{"code":131026,"title":${hostile},"details":null}`
  const id = await add({
    type: 'template',
    content: `{"name":"aviso","note":${hostile}}`,
    contact,
    error,
    status: 'failed',
  })

  assert.deepEqual(await readIds(viewer, ''), [id])
  assert.deepEqual(await readIds(viewer, 'person=BR.7'), [id])
  assert.deepEqual(await readIds(viewer, 'template=aviso'), [])
  assert.deepEqual(await readIds(viewer, 'error_code=131026'), [])
})

test('invalid filters are refused', async (t) => {
  const { viewer } = await startLog(t)

  for (const query of [
    'limit=0',
    'limit=101',
    'channel_id=1',
    'direction=both',
    'status=lost',
    'status=sent,lost',
    'status=sent,',
    'error_code=x',
    'person=%27%20or%20true',
    'person=BR.%25',
    'name=%20',
    'number_end=19',
    'number_end=abc',
    'id=1',
    'id=wamid.',
    'since=yesterday',
    'cursor=x',
    'content=true',
  ]) {
    const { status, body } = await viewer.get(`/console/messages?${query}`)
    assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'], query)
  }
})

test('a search until a far future is one until now, and a message of then is 404', {
  rules: ['log.page-is-bounded', 'message.foreign-one-is-404'],
}, async (t) => {
  const { viewer, add } = await startLog(t)
  const id = await add()

  const page = await readPage(viewer, 'until=2900-01-01T00:00:00Z')

  assert.deepEqual(
    page.messages.map((message) => message.id),
    [id],
  )
  assert.equal((await viewer.get('/console/messages/ffffffff-ffff-7fff-bfff-ffffffffffff')).status, 404)
})

test('an organization has two searches of the log at a time; others wait, and are 429 if they wait too long', {
  rules: ['log.two-searches-at-a-time'],
}, async (t) => {
  const hub = await startHub(t, { isOwn: true })
  const [owner, other] = [await hub.person(), await hub.person()]
  const search = (who: Client) => who.get('/console/messages?type=absent')
  const lock = await holdTransaction(hub.sql, (tx) => tx`lock table messages in access exclusive mode`)

  const running = Promise.all([search(owner), search(owner)])
  await waitUntilBlocked(hub.sql, 2)
  const late = search(owner)
  const foreign = search(other)
  await waitUntilBlocked(hub.sql, 3)
  const refused = await late
  await lock.release()
  const answers = [...(await running), await foreign, await search(owner)]

  assert.equal(refused.status, 429)
  assert.equal(refused.body.error.code, 'RATE_LIMITED')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
})

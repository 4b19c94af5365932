import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../../../../test/client.ts'
import { startHub, type TestHub } from '../../../../../test/hub.ts'
import { toCsvLine } from '../../../../kernel/csv.ts'
import { newId } from '../../../../kernel/ids.ts'
import { addMessage } from '../test/log-rows.ts'
import { toChunks } from './lines.ts'

type Entry = { action: string; details: Record<string, unknown> }

async function listEntries(owner: Client, action: string): Promise<Entry[]> {
  return (await owner.get(`/api/v1/audit-log?action=${action}`)).body.data.entries
}

/** Fills the log with more than an export sends before its client reads. */
async function fill(hub: TestHub, organizationId: string, count: number, content = '{"body":"segredo"}') {
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, content)
    select ${organizationId}, ${newId()}::uuid, hub_id(), 'outbound', 'text', 'sent', ${content}::text::json
    from generate_series(1, ${count})`
}

async function startFilled(t: TestContext, count: number) {
  const hub = await startHub(t)
  const owner = await hub.person()
  await fill(hub, owner.organizationId, count)
  return { hub, owner }
}

/** Opens an export without reading it. */
async function openExport(hub: TestHub, owner: { cookie: string }, query: string) {
  const disconnect = new AbortController()
  const { signal } = disconnect
  const headers = { cookie: owner.cookie }
  const response = await fetch(`${hub.url}/console/messages/export?${query}`, { headers, signal })
  return { response, leave: () => disconnect.abort() }
}

test('an export has every message that matches, as CSV or as lines of JSON, without content', {
  rules: ['log.export-streams-what-matches'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 1201)
  const failed = await addMessage(hub, owner.organizationId, {
    status: 'failed',
    recipient: '5511955500199',
    error: '{"code":131047}',
  })

  const csv = await owner.get('/console/messages/export?format=csv')
  const lines = await owner.get('/console/messages/export?format=jsonl&status=failed')
  const one = await owner.get(`/console/messages/export?format=jsonl&id=${failed}`)

  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename=messages.csv')
  const [head, first, ...others] = csv.text.trimEnd().split('\r\n')
  assert.match(head ?? '', /^id,channel_id,direction,phone/)
  assert.ok(first?.startsWith(`${failed},`) && first.includes(',5511955500199,') && first.includes(',131047,'))
  assert.equal(others.length, 1201)
  assert.ok(!csv.text.includes('segredo'))
  const parsed = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    parsed.map(({ id, error }) => [id, error.code]),
    [[failed, 131047]],
  )
  assert.equal(one.text, lines.text)
})

test('an export is in the audit log from its begin to its end, with filters, count and whether it has content', {
  rules: ['log.export-is-audited'],
}, async (t) => {
  const { owner } = await startFilled(t, 30)

  const answer = await owner.get('/console/messages/export?format=jsonl&content=true&type=text')

  assert.equal(answer.text.trimEnd().split('\n').length, 30)
  assert.equal(JSON.parse(answer.text.split('\n')[0] ?? '').content.body, 'segredo')
  const [started] = await listEntries(owner, 'messages.export_started')
  const [exported, ...others] = await listEntries(owner, 'messages.exported')
  assert.deepEqual(others, [])
  assert.deepEqual(started?.details, { format: 'jsonl', content: true, type: 'text' })
  assert.deepEqual(exported?.details, { ...started?.details, count: 30, complete: true })
  assert.ok(!JSON.stringify([started, exported]).includes('segredo'))
})

test('the owners of an organization have one export at a time, over all processes, and others are not held up', {
  rules: ['log.one-export-at-a-time'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await fill(hub, owner.organizationId, 200, JSON.stringify({ body: 'x'.repeat(100_000) }))
  const second = await startHub(t, { installation: { sql: hub.sql } })
  const other = await hub.person()

  const { response, leave } = await openExport(hub, owner, 'format=jsonl&content=true')
  const again = await Promise.all([hub, second].map((each) => openExport(each, owner, 'format=csv')))
  const foreign = await other.get('/console/messages/export?format=csv')
  leave()

  assert.equal(response.status, 200)
  assert.deepEqual(
    again.map(({ response: { status } }) => status),
    [409, 409],
  )
  assert.equal(foreign.status, 200)
})

test("a member's export does not keep an owner from exporting, nor the reverse", {
  rules: ['log.one-export-at-a-time'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await fill(hub, owner.organizationId, 200, JSON.stringify({ body: 'x'.repeat(100_000) }))
  const join = (role: 'viewer' | 'admin') => hub.person({ organizationId: owner.organizationId, role })
  const [viewer, admin] = [await join('viewer'), await join('admin')]

  const first = await openExport(hub, viewer, 'format=jsonl&content=true')
  const ofAdmin = await openExport(hub, admin, 'format=csv')
  const ofOwner = await openExport(hub, owner, 'format=jsonl&content=true')
  const ofOrganization = await owner.get(`/console/organizations/${owner.organizationId}/export`)
  for (const { leave } of [first, ofOwner]) leave()

  assert.deepEqual([first.response.status, ofAdmin.response.status, ofOwner.response.status], [200, 409, 200])
  assert.equal(ofOrganization.status, 409)
})

test('an export is cut off after an hour, and the next one begins', {
  rules: ['log.export-ends-after-an-hour'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await fill(hub, owner.organizationId, 300, JSON.stringify({ body: 'x'.repeat(100_000) }))

  const { response } = await openExport(hub, owner, 'format=jsonl&content=true')
  await hub.clock.advance('61 minutes')

  await assert.rejects(response.text())
  const [ended] = await listEntries(owner, 'messages.exported')
  assert.equal(ended?.details.complete, false)
  assert.equal((await owner.get('/console/messages/export?status=failed')).status, 200)
})

// The cookie of the session is sent with a link on another site.
test('a link on another site starts no export and no download of a file', {
  rules: ['log.cross-site-download-is-403'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 1)
  const id = await addMessage(hub, owner.organizationId, { type: 'text' })
  const paths = [
    '/console/messages/export',
    `/console/messages/${id}/media`,
    `/console/organizations/${owner.organizationId}/export`,
  ]

  for (const path of paths) {
    const get = (site: string) => owner.get(path, { headers: { 'sec-fetch-site': site } })
    const refused = await get('cross-site')
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'ORIGIN_NOT_ALLOWED'], path)
    for (const site of ['same-origin', 'same-site', 'none']) assert.notEqual((await get(site)).status, 403, site)
  }
  const started = [
    ...(await listEntries(owner, 'messages.export_started')),
    ...(await listEntries(owner, 'organization.export_started')),
  ]
  assert.equal(started.length, 6)
})

test('an export whose client leaves ends, is in the audit log, and lets the next one begin', {
  rules: ['log.export-is-audited', 'log.one-export-at-a-time'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await fill(hub, owner.organizationId, 200, JSON.stringify({ body: 'x'.repeat(100_000) }))

  const { leave } = await openExport(hub, owner, 'format=jsonl&content=true')
  leave()
  let entries: Entry[] = []
  for (let looks = 0; looks < 500 && entries.length === 0; looks++) {
    entries = await listEntries(owner, 'messages.exported')
  }
  const next = await owner.get('/console/messages/export?format=csv&status=failed')

  assert.equal(entries[0]?.details.complete, false)
  assert.ok(Number(entries[0]?.details.count) < 200)
  assert.equal(next.status, 200)
})

test('signing out, or the end of the membership, cuts an export off', {
  rules: ['log.export-ends-with-the-session'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await fill(hub, owner.organizationId, 300, JSON.stringify({ body: 'x'.repeat(100_000) }))
  const join = () => hub.person({ organizationId: owner.organizationId, role: 'admin' })
  const [leaving, removed] = [await join(), await join()]
  const endings = [
    { person: leaving, end: () => leaving.post('/console/sign-out') },
    { person: removed, end: () => owner.delete(`/console/members/${removed.userId}`) },
  ]

  for (const { person, end } of endings) {
    const { response } = await openExport(hub, person, 'format=jsonl&content=true')
    const { status } = await end()

    assert.equal(response.status, 200)
    assert.ok(status < 300, String(status))
    await assert.rejects(response.text())
  }
  const ends = await listEntries(owner, 'messages.exported')
  assert.deepEqual(
    ends.map(({ details }) => details.complete),
    [false, false],
  )
})

test('exactly one of several concurrent exports begins', { rules: ['log.one-export-at-a-time'] }, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await fill(hub, owner.organizationId, 200, JSON.stringify({ body: 'x'.repeat(100_000) }))

  const opened = await Promise.all(Array.from({ length: 5 }, () => openExport(hub, owner, 'content=true')))
  for (const { leave } of opened) leave()

  assert.deepEqual(opened.map(({ response }) => response.status).toSorted(), [200, 409, 409, 409, 409])
})

test('the export of a killed process expires', async (t) => {
  const { hub, owner } = await startFilled(t, 1)
  await hub.sql`
    insert into export_leases (organization_id, is_of_owner, id, expires_at)
    values (${owner.organizationId}, true, ${newId()}, hub_now() + interval '2 minutes')`

  const before = await owner.get('/console/messages/export')
  await hub.clock.advance('3 minutes')
  const after = await owner.get('/console/messages/export')

  assert.deepEqual([before.status, before.body.error.code], [409, 'OPERATION_IN_PROGRESS'])
  assert.equal(after.status, 200)
})

test('a refused export leaves no entry and no lease', async (t) => {
  const { owner } = await startFilled(t, 1)

  for (const query of ['format=xml', 'content=yes', 'person=x', 'id=x', 'limit=5', 'cursor=x']) {
    const { status } = await owner.get(`/console/messages/export?${query}`)
    assert.equal(status, 400, query)
  }
  assert.deepEqual(await listEntries(owner, 'messages.export_started'), [])
  assert.equal((await owner.get('/console/messages/export')).status, 200)
})

test('a cell that a spreadsheet would run begins with a quote', {
  rules: ['log.csv-cells-are-no-formulas'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  await addMessage(hub, owner.organizationId, { type: 'template', content: '{"name":"=cmd|\' /C calc\'!A0"}' })

  const { text } = await owner.get('/console/messages/export')

  assert.ok(text.includes(`"'=cmd|' /C calc'!A0"`), text)
  const cells = ['=1', '+1', '-1', '@a', ' =1', '\tx', '\rx', 'a=1', 'a,"b"', null, 5]
  assert.equal(toCsvLine(cells), `"'=1","'+1","'-1","'@a","' =1","'\tx","'\rx",a=1,"a,""b""",,5\r\n`)
})

// Spreadsheets of some countries split lines at semicolons.
test('no cell begins a formula where a spreadsheet splits lines at semicolons, tabs or line breaks', {
  rules: ['log.csv-cells-are-no-formulas'],
}, async (t) => {
  const { hub, owner } = await startFilled(t, 0)
  const content = '{"body":"a;=1\\t=2\\n=3 \\\\;+4;\\"=5\\"",\n\t"n":-1.50}'
  await addMessage(hub, owner.organizationId, { type: 'text', content })

  const { text } = await owner.get('/console/messages/export?content=true&format=csv')

  const [, row = ''] = text.split('\r\n')
  const cell = row.slice(row.indexOf('"{')).slice(1, -1).replaceAll('""', '"')
  assert.deepEqual(JSON.parse(cell), JSON.parse(content))
  assert.ok(cell.includes('-1.50'))
  assert.doesNotMatch(row, /[;\t\n]/)
  const cells = ['a;=1', 'a;;+1', 'a\t-1', 'a\n@b', 'a;"=1"', 'a; =1', 'a;b', '\t=1']
  const safe = [`"a;'=1"`, `"a;;'+1"`, `"a\t'-1"`, `"a\n'@b"`, `"a;'""=1"""`, `"a;' =1"`, 'a;b', `"'\t'=1"`]
  assert.equal(toCsvLine(cells), `${safe.join(',')}\r\n`)
})

test('small lines leave together, and each large one by itself once it is read', () => {
  const written: string[] = []
  const toLine = (line: string) => {
    written.push(line)
    return line
  }
  const [small, large] = ['small\n', `${'x'.repeat(100_000)}\n`]

  const chunks = toChunks([small, small, large, large, small], toLine)

  assert.equal(chunks.next().value, small + small + large)
  assert.equal(written.length, 3)
  assert.deepEqual([...chunks], [large, small])
  assert.deepEqual([...toChunks([], toLine)], [])
})

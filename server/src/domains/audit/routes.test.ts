import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { ORIGIN, PASSWORD, startHub, type TestHub } from '../../../test/hub.ts'
import { newId } from '../../kernel/ids.ts'
import { AUDIT_ACTIONS, type AuditAction } from './actions.ts'
import { OPERATOR } from './initiator.ts'

type Entry = {
  id: string
  action: string
  actor: { id: string }
  target: { type: string; id: string }
  created_at: string
}
type Reader = { get: TestHub['anonymous']['get'] }

/** Writes `count` entries about one target. */
async function record(
  hub: TestHub,
  organizationId: string,
  count: number,
  over: { action?: string; target?: string } = {},
) {
  const target = { type: 'thing', id: over.target ?? newId() }
  await hub.sql.begin(async (tx) => {
    for (let i = 0; i < count; i++) {
      await hub.context.audit.record(tx, {
        organizationId,
        initiator: OPERATOR,
        action: (over.action ?? 'thing.done') as AuditAction,
        target,
      })
    }
  })
  return target.id
}

/** Follows the cursors to the end. */
async function readAll(reader: Reader, query: string, from = ''): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null = from
  while (cursor !== null) {
    const page = await reader.get(`/api/v1/audit-log?${query}${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200)
    entries.push(...page.body.data.entries)
    cursor = page.body.data.next_cursor
  }
  return entries
}

test('each change leaves an entry with its actor, action, target, address and request', {
  rules: ['api.timestamps-are-utc', 'audit.lists-with-filters'],
}, async (t) => {
  const hub = await startHub(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  const member = await hub.person()
  const ana = hub.anonymous.with({ cookie: member.cookie, origin: ORIGIN, 'x-forwarded-for': '203.0.113.7' })
  const colleague = await hub.person({ organizationId: member.organizationId, role: 'developer' })
  const generateCode = (secret: string) => new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
  const requests: Record<string, { requestId: string | null; target: string }> = {}
  const act = async (action: string, target: string, answer: Promise<{ status: number; headers: Headers }>) => {
    const { status, headers } = await answer
    assert.ok(status < 300, `${action} answered ${status}`)
    requests[action] = { requestId: headers.get('x-request-id'), target }
  }

  const key = ana.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  const keyId = (await key).body.data.api_key.id
  await act('api_key.created', keyId, key)
  await act('api_key.revoked', keyId, ana.post(`/api/v1/api-keys/${keyId}/revoke`))
  const invited = ana.post('/console/invitations', { email: `${newId()}@example.com`, role: 'viewer' })
  const invitationId = (await invited).body.data.invitation.id
  await act('invitation.created', invitationId, invited)
  await act('invitation.revoked', invitationId, ana.delete(`/console/invitations/${invitationId}`))
  await act(
    'member.role_changed',
    colleague.userId,
    ana.patch(`/console/members/${colleague.userId}`, { role: 'viewer' }),
  )
  await act('member.removed', colleague.userId, ana.delete(`/console/members/${colleague.userId}`))
  await act(
    'user.password_changed',
    member.userId,
    ana.put('/console/password', { current_password: PASSWORD, new_password: 'another horse and battery' }),
  )
  const { secret } = (await ana.post('/console/totp', { password: 'another horse and battery' })).body.data
  await act('user.totp_enabled', member.userId, ana.post('/console/totp/confirm', { code: generateCode(secret) }))
  await hub.clock.advance('30 seconds')
  const proof = { password: 'another horse and battery', totp: generateCode(secret) }
  await act('user.totp_disabled', member.userId, ana.post('/console/totp/disable', proof))
  const again = hub.anonymous.post(
    '/console/sign-in',
    { email: member.email, password: 'another horse and battery' },
    { headers: { 'x-forwarded-for': '203.0.113.7' } },
  )
  await again
  const sessions = (await ana.get('/console/sessions')).body.data.sessions
  const other = sessions.find(({ current }: { current: boolean }) => !current).id
  await act('session.created', other, again)
  await act('session.revoked', other, ana.delete(`/console/sessions/${other}`))

  for (const [action, { requestId, target }] of Object.entries(requests)) {
    const log = await ana.get(`/api/v1/audit-log?action=${action}&target_id=${target}`)
    assert.equal(log.body.data.entries.length, 1, action)
    const [entry] = log.body.data.entries
    assert.deepEqual(entry.actor, { type: 'user', id: member.userId, name: 'Ana' }, action)
    assert.equal(entry.target.type, action.split('.')[0] === 'member' ? 'user' : action.split('.')[0], action)
    assert.equal(entry.ip, '203.0.113.7', action)
    assert.equal(entry.request_id, requestId, action)
    assert.match(entry.created_at, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/, action)
  }
})

test('a change whose audit entry cannot be written is rolled back', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await hub.sql.unsafe(`
    create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$;
    create trigger refuse_entry before insert on audit_entries
      for each row when (new.actor_id = '${ana.userId}') execute function refuse_entry()`)

  const answers = await Promise.all([
    ana.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] }),
    ana.post('/console/invitations', { email: 'bob@example.com', role: 'viewer' }),
    ana.put('/console/password', { current_password: PASSWORD, new_password: 'another horse and battery' }),
    hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD }),
    ana.post('/console/sign-out'),
  ])
  await hub.sql.unsafe('drop trigger refuse_entry on audit_entries')

  for (const { status } of answers) assert.equal(status, 500)
  assert.deepEqual((await ana.get('/api/v1/api-keys')).body.data.api_keys, [])
  assert.deepEqual((await ana.get('/console/invitations')).body.data.invitations, [])
  assert.equal((await ana.get('/console/sessions')).body.data.sessions.length, 1)
  assert.equal((await hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD })).status, 200)
})

test('a failed request leaves no entry', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const before = await readAll(ana, 'limit=100')

  await ana.post('/api/v1/api-keys', { name: 'ci', scopes: ['unknown'] })
  await ana.post(`/api/v1/api-keys/${newId()}/revoke`)
  await ana.delete(`/console/members/${ana.userId}`)
  await ana.delete(`/console/invitations/${newId()}`)
  await ana.put('/console/password', { current_password: 'a guess', new_password: 'another horse and battery' })

  assert.deepEqual(await readAll(ana, 'limit=100'), before)
})

test('pages go from the newest to the oldest entry without gaps or repeats, even while entries are written', {
  rules: ['audit.lists-with-filters'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const target = await record(hub, acme.organizationId, 25)
  const all = await readAll(acme, `target_id=${target}&limit=100`)

  const first = await acme.get(`/api/v1/audit-log?target_id=${target}&limit=7`)
  await record(hub, acme.organizationId, 5, { target })
  const rest = await readAll(acme, `target_id=${target}&limit=7`, first.body.data.next_cursor)
  const paged = [...first.body.data.entries, ...rest]

  const ids = all.map(({ id }) => id)
  assert.equal(new Set(ids).size, 25)
  assert.deepEqual(ids, ids.toSorted().reverse())
  assert.deepEqual(paged, all)
})

test('a page that ends with the last entry has no next cursor', { rules: ['audit.lists-with-filters'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const target = await record(hub, acme.organizationId, 4)

  const [exact, short] = [
    await acme.get(`/api/v1/audit-log?target_id=${target}&limit=4`),
    await acme.get(`/api/v1/audit-log?target_id=${target}&limit=3`),
  ]

  assert.equal(exact.body.data.next_cursor, null)
  assert.equal(exact.body.data.entries.length, 4)
  assert.equal(typeof short.body.data.next_cursor, 'string')
})

test('filters select the entries of an action, an actor, a target or a time range', {
  rules: ['audit.lists-with-filters'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'admin' })
  const target = await record(hub, acme.organizationId, 1, { action: 'thing.begun' })
  await hub.clock.advance('1 hour')
  const noon = hub.clock.now().toISOString()
  await record(hub, acme.organizationId, 1, { action: 'thing.ended', target })
  const actions = async (query: string) => (await readAll(acme, query)).map(({ action }) => action)

  assert.deepEqual(await actions('action=thing.begun'), ['thing.begun'])
  assert.deepEqual(await actions(`actor_id=${ana.userId}`), ['session.created'])
  assert.deepEqual(await actions(`target_id=${target}`), ['thing.ended', 'thing.begun'])
  assert.deepEqual(await actions(`target_id=${target}&since=${noon}`), ['thing.ended'])
  assert.deepEqual(await actions(`target_id=${target}&until=${noon}`), ['thing.begun'])
  assert.deepEqual(await actions(`action=thing.begun&actor_id=${ana.userId}`), [])
})

test('a period that ends before it begins is refused, with one reason everywhere', {
  rules: ['api.reversed-period-is-400'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const member = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const channel = (await acme.post('/api/v1/channels', { name: 'Loja' })).body.data.channel
  const [earlier, later] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']
  const ofOrganization = `/console/organizations/${acme.organizationId}`

  for (const period of [`since=${later}&until=${earlier}`, `since=${later}&until=${later}`]) {
    const answers = [
      await acme.get(`/api/v1/audit-log?${period}`),
      await acme.get(`/api/v1/channels/${channel.id}/messages?${period}`),
      await acme.get(`/api/v1/usage/costs?${period}`),
      await member.get(`/console/messages?${period}`),
      await member.get(`${ofOrganization}/requests?${period}`),
      await member.get(`/console/webhooks/${newId()}/deliveries?${period}`),
    ]

    for (const { status, body } of answers)
      assert.deepEqual([status, body.error?.details.reason], [400, 'period_reversed'], JSON.stringify(body))
  }
})

test('since is inclusive and until is exclusive', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const target = await record(hub, acme.organizationId, 1)
  await hub.sql`update audit_entries set created_at = date_trunc('second', created_at) where target_id = ${target}`
  const [entry] = await readAll(acme, `target_id=${target}`)

  const since = await readAll(acme, `target_id=${target}&since=${entry?.created_at}`)
  const until = await readAll(acme, `target_id=${target}&until=${entry?.created_at}`)

  assert.equal(since.length, 1)
  assert.equal(until.length, 0)
})

test('a cursor is valid only for its organization and its filters', {
  rules: ['api.cursor-is-bound-to-its-list'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const target = await record(hub, acme.organizationId, 3)
  await record(hub, other.organizationId, 3, { target })
  const page = await acme.get(`/api/v1/audit-log?target_id=${target}&limit=1`)
  const cursor: string = page.body.data.next_cursor
  const path = `/api/v1/audit-log?target_id=${target}&limit=1&cursor=`

  const own = await acme.get(path + cursor)
  const otherLimit = await acme.get(`/api/v1/audit-log?target_id=${target}&limit=2&cursor=${cursor}`)
  const foreign = await other.get(path + cursor)
  const refused = await Promise.all(
    [
      `/api/v1/audit-log?limit=1&cursor=${cursor}`,
      `/api/v1/audit-log?actor_id=${target}&limit=1&cursor=${cursor}`,
      `${path}${cursor}&action=thing.done`,
      `${path}`,
      `${path}x`,
      `${path}${cursor}A`,
      `${path}${cursor.slice(0, -1)}`,
      `${path}${Buffer.alloc(16).toString('base64url')}${Buffer.from(newId()).toString('base64url')}`,
    ].map((address) => acme.get(address)),
  )

  assert.equal(own.status, 200)
  assert.equal(otherLimit.status, 200)
  for (const { status, body } of [foreign, ...refused]) {
    assert.equal(status, 400)
    assert.equal(body.error.code, 'INVALID_REQUEST')
  }
})

test('a cursor with one changed character is refused', { rules: ['api.cursor-is-opaque'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const target = await record(hub, acme.organizationId, 2)
  const page = await acme.get(`/api/v1/audit-log?target_id=${target}&limit=1`)
  const cursor: string = page.body.data.next_cursor
  const altered = [...cursor].map(
    (character, i) => cursor.slice(0, i) + (character === 'A' ? 'B' : 'A') + cursor.slice(i + 1),
  )

  const answers = await Promise.all(
    altered.map((text) => acme.get(`/api/v1/audit-log?target_id=${target}&limit=1&cursor=${text}`)),
  )

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400]))
})

test('an invalid filter, limit or time is INVALID_REQUEST', {
  rules: ['api.whole-numbers-are-decimal-digits'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=0x10',
    'limit=0b1',
    'limit=1e1',
    'limit=%2B5',
    'limit=5.0',
    'limit=%205',
    'limit=١',
    'limit=true',
    'limit=',
    'limit=1&limit=2',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=0000-01-01T00:00:00Z',
    'since=0001-01-01T00:00:00%2B14:00',
    'until=2026-01-01T00:00:00%2B20:00',
    'since=2026-01-01',
    'unknown=1',
    'action=%00',
  ]) {
    const refused = await acme.get(`/api/v1/audit-log?${query}`)

    assert.equal(refused.status, 400, query)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', query)
  }
})

test('a page has 50 entries by default, and 1 to 100 with a limit', {
  rules: ['audit.lists-with-filters'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  await record(hub, acme.organizationId, 110)
  const countEntries = async (query: string) => (await acme.get(`/api/v1/audit-log${query}`)).body.data.entries.length

  const lengths = [await countEntries(''), await countEntries('?limit=1'), await countEntries('?limit=100')]

  assert.deepEqual(lengths, [50, 1, 100])
})

test("another organization's entries are never listed, with or without a filter", async (t) => {
  const hub = await startHub(t)
  const [acme, other] = [await hub.organization(), await hub.organization(['audit:read'])]
  const target = await record(hub, acme.organizationId, 3)

  const all = await readAll(other, 'limit=100')
  const named = await readAll(other, `target_id=${target}`)

  assert.deepEqual(named, [])
  assert.deepEqual(all.map(({ target: { id } }) => id).toSorted(), [other.organizationId, other.keyId].toSorted())
})

test('an entry without changes is answered as it was written', {
  rules: ['audit.older-entries-stay-as-written'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const target = await record(hub, acme.organizationId, 1)

  const { entries } = (await acme.get(`/api/v1/audit-log?target_id=${target}`)).body.data

  assert.deepEqual(entries[0].details, {})
})

test('concurrent updates record changes that follow from one another', {
  rules: ['audit.update-has-its-changes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = (await acme.post('/api/v1/channels', { name: 'start' })).body.data.channel
  const names = Array.from({ length: 8 }, (_, position) => `name-${position}`)

  await Promise.all(names.map((name) => acme.patch(`/api/v1/channels/${id}`, { name })))

  const log = await acme.get(`/api/v1/audit-log?action=channel.updated&target_id=${id}`)
  const changes = new Map<string, string>(
    log.body.data.entries.map(({ details }: { details: { changes: { name: { from: string; to: string } } } }) => [
      details.changes.name.from,
      details.changes.name.to,
    ]),
  )
  const path = ['start']
  for (let next = changes.get('start'); next !== undefined; next = changes.get(next)) path.push(next)
  assert.deepEqual(path.toSorted(), [...names, 'start'].toSorted())
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).body.data.channel.name, path.at(-1))
})

test('the guide explains every action', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/audit-log.md', import.meta.url), 'utf8')

  const explained = [...guide.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action]) => action)

  assert.deepEqual(
    AUDIT_ACTIONS.filter((action) => !explained.includes(action)),
    [],
  )
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { PASSWORD, startHub } from '../../../../test/hub.ts'
import { createChannel, createLink } from '../../../../test/hub-with-upstream.ts'
import { OPERATOR } from '../../audit/initiator.ts'

type Member = Client & { organizationId: string }

function path({ organizationId }: Member): string {
  return `/console/organizations/${organizationId}/settings`
}

async function show(member: Member) {
  const { status, body, text } = await member.get(path(member))
  assert.equal(status, 200, text)
  return body.data.settings
}

test('every member reads the settings, with the retention of the hub', {
  rules: ['organization.settings-are-shown-to-members'],
}, async (t) => {
  const hub = await startHub(t, { env: { RETENTION_MESSAGES_DAYS: '45' } })
  const ana = await hub.person()
  const viewer = await hub.person({ organizationId: ana.organizationId, role: 'viewer' })

  assert.deepEqual(await show(viewer), {
    name: "Ana's",
    language: 'en',
    time_zone: 'UTC',
    two_factor_required: false,
    color: null,
    color_contrast: null,
    logo: null,
    deletes_at: null,
    retention: { events_days: 30, messages_days: 45, audit_days: 365 },
  })
})

test('an owner and an admin change the settings, and the audit log has what changed', {
  rules: ['organization.settings-change-by-role', 'organization.settings-change-is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const admin = await hub.person({ organizationId: ana.organizationId, role: 'admin' })

  const renamed = await admin.patch(path(ana), { name: 'Padaria', language: 'pt-BR' })
  const moved = await ana.patch(path(ana), { name: 'Padaria', time_zone: 'America/Sao_Paulo' })
  const same = await ana.patch(path(ana), { name: 'Padaria' })

  for (const { status, text } of [renamed, moved, same]) assert.equal(status, 200, text)
  const { name, language, time_zone } = await show(ana)
  assert.deepEqual([name, language, time_zone], ['Padaria', 'pt-BR', 'America/Sao_Paulo'])
  const { organization } = (await ana.get('/console/session')).body.data
  assert.deepEqual([organization.name, organization.language], ['Padaria', 'pt-BR'])
  const log = await ana.get('/api/v1/audit-log?action=organization.updated')
  assert.deepEqual(
    log.body.data.entries.map(({ details, actor }: { details: unknown; actor: { id: string } }) => [actor.id, details]),
    [
      [ana.userId, { changes: { time_zone: { from: 'UTC', to: 'America/Sao_Paulo' } } }],
      [admin.userId, { changes: { name: { from: "Ana's", to: 'Padaria' }, language: { from: 'en', to: 'pt-BR' } } }],
    ],
  )
})

test('developers, viewers and keys change nothing, and only an owner requires a second factor', {
  rules: ['organization.settings-change-by-role'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const join = (role: 'admin' | 'developer' | 'viewer') => hub.person({ organizationId: ana.organizationId, role })
  const [admin, developer, viewer] = [await join('admin'), await join('developer'), await join('viewer')]
  const acme = await hub.organization()

  const refused = [
    await developer.patch(path(ana), { name: 'x' }),
    await viewer.patch(path(ana), { name: 'x' }),
    await admin.patch(path(ana), { name: 'x', two_factor_required: false }),
  ]
  const byKey = await acme.patch(`/console/organizations/${acme.organizationId}/settings`, { name: 'x' })

  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [403, 'INSUFFICIENT_SCOPE'])
  assert.equal(byKey.status, 401)
  assert.equal((await show(ana)).name, "Ana's")
})

test('settings of unknown names, types and values are refused', {
  rules: ['organization.settings-change-by-role'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const bodies = [
    {},
    [],
    { name: '' },
    { name: ' \t' },
    { name: 'x'.repeat(101) },
    { name: null },
    { language: 'pt' },
    { language: ['en'] },
    { time_zone: 'Brasil' },
    { time_zone: '+03:00' },
    { time_zone: 'x'.repeat(65) },
    { time_zone: '' },
    { two_factor_required: 'true' },
    { two_factor_required: null },
    { name: 'ok', deletes_at: null },
    { name: 'ok', retention: {} },
  ]

  for (const body of bodies) {
    const { status, text } = await ana.patch(path(ana), body)
    assert.equal(status, 400, `${JSON.stringify(body)} answered ${text}`)
  }
  assert.equal((await ana.patch('/console/organizations/none/settings', { name: 'x' })).status, 400)
  assert.equal((await show(ana)).name, "Ana's")
})

test('concurrent changes of one setting are recorded one after the other', {
  rules: ['organization.settings-change-is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']

  await Promise.all(names.map((name) => ana.patch(path(ana), { name })))

  const log = (await ana.get('/api/v1/audit-log?action=organization.updated')).body.data.entries
  const changes = log.map(({ details }: { details: { changes: { name: object } } }) => details.changes.name).reverse()
  assert.equal(changes.length, names.length)
  assert.equal(changes.at(-1).to, (await show(ana)).name)
  const froms = changes.map(({ from }: { from: string }) => from).sort()
  assert.deepEqual(froms, ["Ana's", ...changes.map(({ to }: { to: string }) => to).slice(0, -1)].sort())
})

test('a session acts for the organization in the path with the role that it has there', {
  rules: ['session.path-names-the-organization'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { sql, context } = hub
  const { organizationId } = bob
  await sql.begin((tx) =>
    context.members.add(tx, { organizationId, userId: ana.userId, role: 'viewer', initiator: OPERATOR }),
  )

  const read = await ana.get(path(bob))
  const changed = await ana.patch(path(bob), { name: 'x' })
  const mixed = await ana.get(path(bob), { headers: { 'x-hub-organization': ana.organizationId } })

  assert.equal(read.status, 200)
  assert.deepEqual([changed.status, changed.body.error.code], [403, 'INSUFFICIENT_SCOPE'])
  assert.equal(mixed.status, 404)
  assert.equal((await ana.get(path(await hub.person()))).status, 404)
})

test('a new organization has the language of the sign-up and the time zone that it names', {
  rules: ['organization.starts-with-language-and-zone'],
}, async (t) => {
  const hub = await startHub(t)
  const form = (over: object) => ({
    name: 'Ana',
    email: `${randomBytes(8).toString('hex')}@example.com`,
    password: PASSWORD,
    organization_name: 'Acme',
    ...over,
  })
  const headers = { 'accept-language': 'pt-BR,pt;q=0.9', 'x-forwarded-for': '203.0.113.77' }

  const signedUp = await hub.anonymous.post('/console/sign-up', form({ time_zone: 'America/Bahia' }), { headers })
  const refused = await hub.anonymous.post('/console/sign-up', form({ time_zone: 'Bahia' }), { headers })

  assert.equal(refused.status, 400)
  const { id } = signedUp.body.data.organization
  const [row] = await hub.sql`select language, time_zone from organizations where id = ${id}`
  assert.deepEqual({ ...row }, { language: 'pt-BR', time_zone: 'America/Bahia' })
})

test("pages of a link are in the person's language, else in the organization's", {
  rules: ['organization.language-is-that-of-its-pages'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await ana.patch(path(ana), { language: 'pt-BR' })
  const invitation = { email: 'bob@example.com', role: 'viewer' }
  const { invitation_url } = (await ana.post('/console/invitations', invitation)).body.data
  const join = new URL(invitation_url).pathname
  const readPage = async (language: string) => {
    const { text } = await hub.anonymous.get(join, { headers: { 'accept-language': language } })
    return /<html lang="([^"]+)"/.exec(text)?.[1]
  }
  const { id } = await createChannel(ana)
  const link = await createLink(ana, id)

  assert.deepEqual([await readPage('de'), await readPage('en-GB'), await readPage('')], ['pt-BR', 'en', 'pt-BR'])
  assert.equal((await hub.anonymous.get(`/api/v1/connect/${link}`)).body.data.language, 'pt-BR')
})

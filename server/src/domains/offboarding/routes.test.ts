import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, PASSWORD, startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel, createLink, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { newId } from '../../kernel/ids.ts'
import { OPERATOR } from '../audit/initiator.ts'
import type { Role } from '../auth/scopes.ts'
import { buildCallback, buildMessagesEntry, startInbound } from '../inbound/test/fixture.ts'
import { openStream } from '../live-updates/test/stream.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

const NAME = "Ana's"

function path({ organizationId }: { organizationId: string }): string {
  return `/console/organizations/${organizationId}/deletion`
}

async function addMember(hub: TestHub, person: Person, organizationId: string, role: Role): Promise<void> {
  const membership = { organizationId, userId: person.userId, role, initiator: OPERATOR }
  await hub.sql.begin((tx) => hub.context.members.add(tx, membership))
}

async function readDate(person: Person): Promise<string | null> {
  const { organization } = (await person.get('/console/session')).body.data
  const { settings } = (await person.get(`/console/organizations/${person.organizationId}/settings`)).body.data
  assert.equal(organization.deletes_at, settings.deletes_at)
  return settings.deletes_at
}

test('an owner requests the deletion by the name, any owner cancels it, and both are in the audit log', {
  rules: [
    'organization.deletion-waits-seven-days',
    'organization.deletion-can-be-canceled',
    'organization.deletion-request-is-audited',
  ],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const second = await hub.person({ organizationId: ana.organizationId, role: 'owner' })
  const inSevenDays = hub.clock.now().getTime() + 7 * 86_400_000

  const requested = await ana.post(path(ana), { name: NAME })
  const again = await second.post(path(ana), { name: NAME })
  const date = await readDate(second)
  const works = await ana.post('/api/v1/channels', { name: 'Padaria' })
  const canceled = await second.delete(path(ana))
  const none = await ana.delete(path(ana))

  assert.equal(requested.status, 200)
  assert.ok(Math.abs(Date.parse(requested.body.data.deletes_at) - inSevenDays) < 60_000)
  assert.deepEqual(again.body, requested.body)
  assert.equal(date, requested.body.data.deletes_at)
  assert.equal(works.status, 201)
  assert.deepEqual([canceled.status, canceled.body], [200, { data: { canceled: true } }])
  assert.equal(none.status, 404)
  assert.equal(await readDate(ana), null)
  const log = (await ana.get(`/api/v1/audit-log?target_id=${ana.organizationId}`)).body.data.entries
  const entries = log.map((entry: { action: string; actor: { id: string } }) => [entry.action, entry.actor.id])
  assert.deepEqual(entries.slice(0, 2), [
    ['organization.deletion_canceled', second.userId],
    ['organization.deletion_requested', ana.userId],
  ])
  await hub.clock.advance('8 days')
  await hub.context.offboarding.deleteDue()
  assert.equal((await ana.get('/console/session')).status, 200)
})

test('a deletion needs an owner and the exact name', {
  rules: ['organization.deletion-waits-seven-days'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const admin = await hub.person({ organizationId: ana.organizationId, role: 'admin' })
  const acme = await hub.organization()

  for (const name of ['ana’s', "ana's", "Ana's ", ' ', '', 'x'.repeat(101), null, 7]) {
    assert.equal((await ana.post(path(ana), { name })).status, 400, JSON.stringify(name))
  }
  assert.equal((await ana.post(path(ana), { name: NAME, force: true })).status, 400)
  assert.equal((await ana.post(path(ana))).status, 400)
  assert.equal((await admin.post(path(ana), { name: NAME })).status, 403)
  assert.equal((await admin.delete(path(ana))).status, 403)
  assert.equal((await acme.post(path(acme), { name: 'Acme' })).status, 401)
  assert.equal(await readDate(ana), null)
})

test('one of several concurrent requests sets the date, and one of several concurrent cancellations cancels', {
  rules: ['organization.deletion-waits-seven-days', 'organization.deletion-can-be-canceled'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const five = Array.from({ length: 5 })

  const requested = await Promise.all(five.map(() => ana.post(path(ana), { name: NAME })))
  const canceled = await Promise.all(five.map(() => ana.delete(path(ana))))

  assert.equal(new Set(requested.map(({ body }) => body.data.deletes_at)).size, 1)
  assert.deepEqual(canceled.map(({ status }) => status).sort(), [200, 404, 404, 404, 404])
  const log = await ana.get('/api/v1/audit-log?action=organization.deletion_requested')
  assert.equal(log.body.data.entries.length, 1)
})

test("every owner gets a mail in the organization's language and time zone", {
  rules: ['organization.deletion-mails-every-owner'],
}, async (t) => {
  const server = await startMailServer(t)
  const hub = await startHub(t, { env: server.env })
  const ana = await hub.person()
  const second = await hub.person({ organizationId: ana.organizationId, role: 'owner' })
  await hub.person({ organizationId: ana.organizationId, role: 'admin' })
  const settings = { language: 'pt-BR', time_zone: 'America/Sao_Paulo' }
  await ana.patch(`/console/organizations/${ana.organizationId}/settings`, settings)

  const { deletes_at } = (await ana.post(path(ana), { name: NAME })).body.data
  const mails = [await server.receive(1), await server.receive(2)]

  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), [ana.email, second.email].sort())
  const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' })
  for (const { text } of mails) {
    assert.match(text, /"Ana" solicitou a exclusão da organização "Ana's"/)
    assert.ok(text.includes(day.format(new Date(deletes_at))), text)
    assert.match(text, /http:\/\/localhost:8080\/settings/)
  }
})

test('when the time has come everything of the organization is shut off at once', {
  rules: ['organization.deletion-first-shuts-off', 'organization.deletion-ends-its-sessions'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { hub } = setup
  const acme = await hub.organization()
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const both = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const elsewhere = await hub.person()
  await addMember(hub, both, elsewhere.organizationId, 'viewer')
  const channel = await setup.connect(acme)
  const pending = await createChannel(acme)
  const link = await createLink(acme, pending.id)
  const invitation = { email: 'bob@example.com', role: 'viewer' }
  const { invitation_url } = (await owner.post('/console/invitations', invitation)).body.data
  await owner.post(path(acme), { name: 'Acme' })
  await hub.clock.advance('7 days')
  const stream = await openStream(t, hub.url, { cookie: owner.cookie, organizationId: acme.organizationId })

  const late = await owner.get('/console/session')
  await hub.context.offboarding.deleteDue()
  await stream.end()

  assert.equal(late.status, 200)
  assert.equal((await acme.get('/api/v1/channels')).status, 401)
  const byToken = await hub.anonymous.get(`/api/v1/channels/${channel.id}`, { headers: bearer(channel.token) })
  assert.equal(byToken.status, 401)
  assert.equal((await hub.anonymous.get(`/api/v1/connect/${link}`)).status, 404)
  assert.equal((await hub.anonymous.get(`/console/join/${invitation_url.split('/').at(-1)}`)).status, 404)
  const [row] = await hub.sql`select access_token, archived_at from channels where id = ${channel.id}`
  assert.equal(row?.access_token, null)
  assert.notEqual(row?.archived_at, null)
  // Sessions of the organization end: their requests were meant for it.
  for (const person of [owner, both]) assert.equal((await person.get('/console/session')).status, 401)
  const known = await hub.anonymous.post('/console/sign-in', { email: both.email, password: PASSWORD })
  const gone = await hub.anonymous.post('/console/sign-in', { email: owner.email, password: PASSWORD })
  assert.equal(known.body.data.organization.id, elsewhere.organizationId)
  assert.equal(gone.status, 401)
})

test("a callback for a deleted organization's number is acknowledged like one for an unknown number", {
  rules: ['organization.deleted-number-is-acknowledged'],
}, async (t) => {
  const { hub, acme, channel, post } = await startInbound(t)
  const receive = (to: typeof channel) => {
    const message = {
      from: '5511955500199',
      id: `wamid.${newId()}`,
      timestamp: '1790000000',
      type: 'text',
      text: { body: 'oi' },
    }
    return post(buildCallback(buildMessagesEntry(to, { messages: [message] })))
  }
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await owner.post(path(acme), { name: 'Acme' })
  await hub.clock.advance('7 days')
  await hub.context.offboarding.deleteDue()
  const shutOff = await receive(channel)
  await hub.clock.advance('10 minutes')
  await hub.context.offboarding.deleteDue()

  const deleted = await receive(channel)
  const unknown = await receive({ ...channel, number: { ...channel.number, phoneNumberId: '999999999999999' } })

  for (const { status, text } of [shutOff, deleted]) assert.deepEqual([status, text], [unknown.status, unknown.text])
  for (const table of ['messages', 'events', 'seen_changes']) {
    const [row] = await hub.sql`
      select count(*)::int as count from ${hub.sql(table)} where organization_id = ${acme.organizationId}`
    assert.equal(row?.count, 0, table)
  }
})

test('a deletion that has begun cannot be canceled', {
  rules: ['organization.deletion-can-be-canceled'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await ana.post(path(ana), { name: NAME })
  await hub.clock.advance('7 days')
  await hub.sql`
    update organizations set deletion_began_at = hub_now() where id = ${ana.organizationId}`

  assert.equal((await ana.delete(path(ana))).status, 404)
})

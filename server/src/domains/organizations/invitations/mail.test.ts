import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { PASSWORD, startHub } from '../../../../test/hub.ts'
import { readLink, readLinkToken, startMailServer } from '../../../../test/mail-server.ts'

function newEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

async function startHubWithMail(t: TestContext) {
  const server = await startMailServer(t)
  return { hub: await startHub(t, { env: server.env }), server }
}

test('an invitation is sent by mail, with another link than the one that its maker sees', {
  rules: ['invitation.is-sent-by-mail'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const email = newEmail()

  const invited = await ana.post('/console/invitations', { email, role: 'viewer' })
  const mail = await server.receive(1)
  const joined = await hub.anonymous.post(`/console/join/${readLinkToken(mail)}`, { name: 'Bob', password: PASSWORD })

  assert.equal(invited.status, 201)
  assert.equal(invited.body.data.mail_sent, true)
  assert.match(invited.body.data.warning, /once.*sent to the person by mail/)
  assert.deepEqual(mail.to, [email])
  assert.notEqual(readLink(mail), invited.body.data.invitation_url)
  assert.match(mail.text, /"Ana" invites you to join the organization "Ana's" on Hubline/)
  assert.equal(joined.status, 200)
  const { text: metrics } = await hub.anonymous.get('/metrics')
  assert.match(metrics, /^hubline_mails_total\{kind="invitation",outcome="sent"\} 1$/m)
})

test('joining by the link in the mail verifies the e-mail, and by the link that its maker sees does not', {
  rules: ['invitation.mail-link-verifies-the-email'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const join = (token: string) => hub.anonymous.post(`/console/join/${token}`, { name: 'Bob', password: PASSWORD })
  const known = await hub.person(undefined, { isEmailVerified: false })

  const shown = await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
  const byMaker = await join(shown.body.data.invitation_url.split('/').at(-1))
  await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
  const byMail = await join(readLinkToken(await server.receive(2)))
  await ana.post('/console/invitations', { email: known.email, role: 'viewer' })
  const withAccount = await join(readLinkToken(await server.receive(3)))
  const usedUp = await join(readLinkToken(await server.receive(1)))

  const isVerified = ({ body }: typeof byMail) => body.data.user.email_verified
  assert.deepEqual([byMaker, byMail, withAccount].map(isVerified), [false, true, true])
  assert.equal(usedUp.status, 404)
  const log = await ana.get(`/api/v1/audit-log?action=user.email_verified&target_id=${known.userId}`)
  assert.deepEqual(log.body.data.entries[0].details, { by: 'invitation' })
})

test("the mail of an invitation is in the organization's language, and not in that of the request", {
  rules: ['mail.language-follows-its-reader', 'organization.language-is-that-of-its-pages'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  await ana.patch(`/console/organizations/${ana.organizationId}/settings`, { language: 'pt-BR' })

  const body = { email: newEmail(), role: 'viewer' }
  await ana.post('/console/invitations', body, { headers: { 'accept-language': 'en' } })
  const { headers, text } = await server.receive(1)

  assert.match(text, /"Ana" convida você para participar da organização "Ana's"/)
  assert.match(headers, /^Subject: =\?UTF-8\?Q\?Convite_para_participar/m)
})

test('the mail of an invitation of a Spanish organization is in Spanish', {
  rules: ['mail.language-follows-its-reader'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  await ana.patch(`/console/organizations/${ana.organizationId}/settings`, { language: 'es' })

  await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
  const { text } = await server.receive(1)

  assert.match(text, /"Ana" te invita a unirte a la organización "Ana's"/)
})

test('without mail settings an invitation is answered with its link, and mail_sent is false', {
  rules: ['invitation.is-sent-by-mail'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const invited = await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })

  assert.equal(invited.status, 201)
  assert.equal(invited.body.data.mail_sent, false)
  assert.match(invited.body.data.warning, /Send it to the person/)
  assert.doesNotMatch(hub.logs.join(''), /mail failed/)
})

for (const behavior of ['refuse-recipient', 'drop'] as const) {
  test(`an invitation stays valid if the mail server does ${behavior}, and its maker has the link`, {
    rules: ['mail.failure-is-logged-and-counted', 'invitation.is-committed-before-its-mail'],
  }, async (t) => {
    const { hub, server } = await startHubWithMail(t)
    const ana = await hub.person()
    server.behave(behavior)

    const invited = await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
    const token = invited.body.data.invitation_url.split('/').at(-1)
    const joined = await hub.anonymous.post(`/console/join/${token}`, { name: 'Bob', password: PASSWORD })

    assert.equal(invited.status, 201)
    assert.equal(invited.body.data.mail_sent, false)
    assert.equal(joined.status, 200)
    const failure = hub.logs.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'mail failed')
    assert.deepEqual([failure.level, failure.id], ['warn', invited.body.data.invitation.id])
    const { text: metrics } = await hub.anonymous.get('/metrics')
    assert.match(metrics, /^hubline_mails_total\{kind="invitation",outcome="failed"\} 1$/m)
  })
}

// The database must not wait for a mail server.
test('no transaction is open while the mail server does not respond', {
  rules: ['invitation.is-committed-before-its-mail'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const email = newEmail()
  server.behave('hang')

  const inviting = ana.post('/console/invitations', { email, role: 'viewer' })
  await server.waitForConnections(1)
  const listed = await ana.get('/console/invitations')
  const open = await hub.sql`
    select 1
    from pg_stat_activity
    where datname = current_database()
      and state like 'idle in transaction%'`
  server.disconnect()
  const invited = await inviting

  assert.equal(listed.body.data.invitations[0].email, email)
  assert.equal(open.length, 0)
  assert.equal(invited.body.data.mail_sent, false)
})

test('a name in a mail begins no header and no line, and is no link', {
  rules: ['mail.text-cannot-begin-a-header', 'mail.names-are-one-line-and-no-link'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const hostile = 'Acme\r\nBcc: eve@evil.example\r\n\r\nhttps://evil.example'
  await hub.sql`update users set name = ${hostile} where id = ${ana.userId}`
  await hub.sql`update organizations set name = ${hostile} where id = ${ana.organizationId}`
  const email = newEmail()

  const invited = await ana.post('/console/invitations', { email, role: 'viewer' })
  const mail = await server.receive(1)

  assert.equal(invited.body.data.mail_sent, true)
  assert.deepEqual(mail.to, [email])
  assert.doesNotMatch(mail.headers, /evil|^Bcc/im)
  assert.doesNotMatch(mail.text, /evil\.example|^(?!").*eve@/m)
  assert.equal(mail.text.match(/https?:\/\//g)?.length, 1)
})

test('an address gets five invitations by mail an hour from all organizations, and an organization sends fifty', {
  rules: ['invitation.mails-are-limited'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const email = newEmail()
  const invite = async (by: Awaited<ReturnType<typeof hub.person>>, to: string) =>
    (await by.post('/console/invitations', { email: to, role: 'viewer' })).body.data.mail_sent

  const toOne = []
  for (let i = 0; i < 6; i++) toOne.push(await invite(await hub.person(), email))
  const ana = await hub.person()
  await hub.sql`update organizations set created_at = hub_now() - interval '1 day' where id = ${ana.organizationId}`
  const fromOne = []
  for (let i = 0; i < 51; i++) fromOne.push(await invite(ana, newEmail()))
  await hub.clock.advance('1 hour')

  assert.deepEqual(toOne, [true, true, true, true, true, false])
  assert.deepEqual([fromOne.indexOf(false), fromOne.length], [50, 51])
  assert.equal(server.mails.length, 55)
  assert.equal(await invite(ana, email), true)
})

test('an organization sends five invitations by mail an hour on its first day, and creates further ones', {
  rules: ['invitation.mails-are-limited'],
}, async (t) => {
  const { hub } = await startHubWithMail(t)
  const ana = await hub.person()
  const invite = async () => {
    const { status, body } = await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
    assert.equal(status, 201)
    return body.data.mail_sent
  }

  const atOnce = await Promise.all(Array.from({ length: 7 }, invite))
  await hub.clock.advance('1 hour')
  const nextHour = await invite()
  await hub.clock.advance('24 hours')
  const nextDay = []
  for (let i = 0; i < 6; i++) nextDay.push(await invite())

  assert.equal(atOnce.filter(Boolean).length, 5)
  assert.equal(nextHour, true)
  assert.deepEqual(new Set(nextDay), new Set([true]))
})

test('a job deletes invitations and their links 90 days after they expired', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
  const count = async () => {
    const [row] = await hub.sql`
      select
        (select count(*)::int from invitations where organization_id = ${ana.organizationId}) as invitations,
        (select count(*)::int from invitation_links where organization_id = ${ana.organizationId}) as links`
    return row
  }

  await hub.clock.advance('96 days')
  await hub.runJobs()
  const before = await count()
  await hub.clock.advance('2 days')
  await hub.runJobs()

  assert.deepEqual(before, { invitations: 1, links: 1 })
  assert.deepEqual(await count(), { invitations: 0, links: 0 })
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import type { Role } from '../auth/scopes.ts'
import { failTimes, startSecondHub, startWebhooks } from '../webhooks/test/fixture.ts'

/** Webhooks of an organization whose members the hub can mail. */
async function startMailed(t: TestContext) {
  const server = await startMailServer(t)
  const fixture = await startWebhooks(t, { env: server.env })
  const { hub, acme } = fixture
  // The tests of a file share a database, and a job sends what is due for every organization.
  await hub.sql`delete from alert_mails`
  const join = (role: Role, options = {}) => hub.person({ organizationId: acme.organizationId, role }, options)

  /** Pauses an endpoint by twenty failures. */
  async function pause(name = 'CRM') {
    const crm = await fixture.endpoint({ name })
    await failTimes(fixture, 20)
    fixture.receiver.answer(200)
    return crm
  }
  return { ...fixture, server, join, pause, sendDue: () => hub.context.alerts.sendDue() }
}

function listTo({ mails }: MailServer): string[] {
  return mails.flatMap(({ to }) => to).sort()
}

test('the pause of an endpoint is mailed to owners, admins and developers with a verified e-mail, and to nobody else', {
  rules: ['alert.pauses-and-drops-are-mailed', 'alert.only-verified-members-are-mailed'],
}, async (t) => {
  const { hub, server, join, pause, sendDue } = await startMailed(t)
  const mailed = [await join('owner'), await join('admin'), await join('developer')]
  await join('viewer')
  await join('owner', { isEmailVerified: false })
  await hub.person()

  const crm = await pause('Padaria https://evil.example')
  await sendDue()

  assert.deepEqual(listTo(server), mailed.map(({ email }) => email).sort())
  for (const { headers, text } of server.mails) {
    assert.match(headers, /^Subject: A webhook endpoint was paused$/m)
    assert.match(text, /"Padaria https: \/\/evil\. example" of the organization "Acme" failed 20 times in a row/)
    assert.ok(text.replaceAll('=\r\n', '').includes(`http://localhost:8080/webhooks/${crm.id}`), text)
  }
})

for (const [language, subject] of [
  ['pt-BR', /Um endpoint de webhook foi pausado/],
  ['es', /=\?UTF-8\?Q\?Se_paus=C3=B3_un_webhook\?=/],
] as const) {
  test(`the mail about a pause is in the language of the organization, such as ${language}`, {
    rules: ['alert.pauses-and-drops-are-mailed'],
  }, async (t) => {
    const { hub, acme, server, join, pause, sendDue } = await startMailed(t)
    await join('owner')
    await hub.sql`update organizations set language = ${language} where id = ${acme.organizationId}`

    await pause()
    await sendDue()

    assert.match(server.mails[0]?.headers ?? '', subject)
  })
}

test('a channel that drops is mailed, and one that a person deletes is not', {
  rules: ['alert.pauses-and-drops-are-mailed'],
}, async (t) => {
  const server = await startMailServer(t)
  const fixture = await startHubWithUpstream(t, { env: server.env })
  const { hub, up } = fixture
  await hub.sql`delete from alert_mails`
  const ana = await hub.person()
  const [channel, deleted] = [await fixture.connect(ana), await fixture.connect(ana)]

  await up.simulator.control('PATCH', `/numbers/${channel.number.phoneNumberId}`, { status: 'FLAGGED' })
  await ana.get(`/api/v1/channels/${channel.id}/diagnostics`)
  await ana.delete(`/api/v1/channels/${deleted.id}`)
  await hub.context.health.check({ organizationId: ana.organizationId, id: channel.id })
  await hub.context.alerts.sendDue()

  assert.deepEqual(listTo(server), [ana.email])
  assert.match(server.mails[0]?.headers ?? '', /^Subject: A channel works only in part$/m)
  assert.ok((server.mails[0]?.text ?? '').includes(`/channels/${channel.id}`))
})

test('a person gets one mail an hour about an endpoint, and one about each', {
  rules: ['alert.at-most-one-an-hour'],
}, async (t) => {
  const fixture = await startMailed(t)
  const { hub, acme, server, join, pause, sendDue } = fixture
  const ana = await join('owner')
  const crm = await pause()
  await sendDue()
  const resume = () => acme.patch(`/api/v1/webhooks/${crm.id}`, { status: 'active' })

  await resume()
  await failTimes(fixture, 20)
  await sendDue()
  const withinTheHour = server.mails.length
  await acme.patch(`/api/v1/webhooks/${crm.id}`, { status: 'disabled' })
  await pause('ERP')
  await sendDue()
  const withAnother = server.mails.length
  await hub.clock.advance('1 hour')
  await resume()
  await failTimes(fixture, 20)
  await sendDue()

  assert.deepEqual([withinTheHour, withAnother, server.mails.length], [1, 2, 3])
  assert.deepEqual(listTo(server), [ana.email, ana.email, ana.email])
})

test('several processes that send at once mail each person once, and one that was killed is not repeated', {
  rules: ['alert.sent-once-over-processes'],
}, async (t) => {
  const { hub, receiver, server, join, pause } = await startMailed(t)
  const hubs = [hub, ...(await Promise.all([1, 2].map(() => startSecondHub(t, receiver, { env: server.env }))))]
  const people = [await join('owner'), ...(await Promise.all(Array.from({ length: 25 }, () => join('developer'))))]
  await pause()

  await Promise.all(hubs.flatMap(({ context }) => [context.alerts.sendDue(), context.alerts.sendDue()]))
  const sent = listTo(server)
  await hub.clock.advance('10 minutes')
  for (const { context } of hubs) await context.alerts.sendDue()

  assert.deepEqual(sent, people.map(({ email }) => email).sort())
  assert.equal(server.mails.length, sent.length)
})

test('a mail server that hangs delays no delivery', { rules: ['alert.never-delays-a-delivery'] }, async (t) => {
  const { hub, server, join, pause, endpoint, publish, arrived, sendDue } = await startMailed(t)
  await join('owner')
  server.behave('hang')
  await pause()
  const other = await endpoint({ event_types: ['account.update'] })
  const sending = sendDue()
  await server.waitForConnections(1)

  await publish({})
  await hub.deliver()
  const delivered = arrived(other).length
  server.disconnect()
  await sending

  assert.equal(delivered, 1)
})

test('a mail that the server refuses is tried again after five minutes, three times in all', {
  rules: ['alert.refused-ones-are-tried-again'],
}, async (t) => {
  const { hub, server, join, pause, sendDue } = await startMailed(t)
  await join('owner')
  const readAttempts = async () => {
    const [row] = await hub.sql<{ attempts: number }[]>`select attempts from alert_mails where name = 'CRM'`
    return row?.attempts
  }
  server.behave('refuse-recipient')
  await pause()

  const attempts: unknown[] = []
  for (const minutes of [0, 1, 4, 5, 5]) {
    await hub.clock.advance(`${minutes} minutes`)
    await sendDue()
    attempts.push(await readAttempts())
  }
  await hub.clock.advance('30 minutes')
  await pause('ERP')
  await sendDue()
  server.behave('accept')
  await hub.clock.advance('5 minutes')
  await sendDue()

  assert.deepEqual(attempts, [1, 1, 2, 3, 3])
  assert.equal(server.mails.length, 1)
  assert.match(server.mails[0]?.text ?? '', /"ERP"/)
})

test('a mail that may have been accepted is not sent again', {
  rules: ['alert.sent-once-over-processes'],
}, async (t) => {
  const { hub, server, join, pause, sendDue } = await startMailed(t)
  await join('owner')
  await pause()
  server.behave('drop')

  await sendDue()
  const before = server.mails.length
  server.behave('accept')
  await hub.clock.advance('30 minutes')
  await sendDue()

  assert.equal(server.mails.length, before)
})

test('each person turns the mails of an organization off and on, and only for themselves', {
  rules: ['alert.each-person-decides'],
}, async (t) => {
  const { server, join, pause, sendDue } = await startMailed(t)
  const [ana, bob, eve] = [await join('owner'), await join('developer'), await join('viewer')]

  const before = await bob.get('/console/alerts')
  const off = await bob.put('/console/alerts', { by_mail: false })
  await pause()
  await sendDue()
  const refused = [await eve.get('/console/alerts'), await eve.put('/console/alerts', { by_mail: true })]
  const wrong = await bob.put('/console/alerts', { by_mail: 'no' })

  assert.deepEqual(
    [before.body, off.body],
    [{ data: { alerts: { by_mail: true } } }, { data: { alerts: { by_mail: false } } }],
  )
  assert.deepEqual(listTo(server), [ana.email])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403],
  )
  assert.equal(wrong.status, 400)
})

test('without a mail server nothing is kept for a mail', {
  rules: ['alert.pauses-and-drops-are-mailed'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, acme, endpoint } = fixture
  await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await endpoint()

  await failTimes(fixture, 20)

  const rows = await hub.sql`select 1 from alert_mails where organization_id = ${acme.organizationId}`
  assert.equal(rows.length, 0)
})

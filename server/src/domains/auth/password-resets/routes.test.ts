import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { ORIGIN, PASSWORD, startHub } from '../../../../test/hub.ts'
import { readLink, readLinkToken } from '../../../../test/mail-server.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'
import { NEW_PASSWORD, receiveToken, redeem, requestReset, signIn, startHubWithMail } from './test/fixture.ts'

test('a person who forgot the password gets a link by mail and sets a new one with it', {
  rules: ['mail.needs-smtp-url-and-sender', 'password.reset-answers-alike', 'password.reset-link-shows-its-email'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()

  const requested = await requestReset(hub, ana.email.toUpperCase())
  const mail = await server.receive(1)
  const token = readLinkToken(mail)
  const shown = await hub.anonymous.get(`/console/password-reset/${token}`)
  const done = await redeem(hub, token)

  assert.equal(requested.status, 202)
  assert.deepEqual(requested.body, { data: { accepted: true } })
  assert.deepEqual(mail.to, [ana.email])
  assert.equal(mail.from, 'hub@example.com')
  assert.match(mail.headers, /^From: Hubline <hub@example.com>$/m)
  assert.match(mail.headers, /^Auto-Submitted: auto-generated$/m)
  assert.match(readLink(mail), new RegExp(`^${ORIGIN}/reset-password/hub_pr_[0-9A-Za-z]{49}$`))
  assert.equal(shown.body.data.password_reset.email, ana.email)
  assert.equal(done.status, 200)
  assert.deepEqual(done.headers.getSetCookie(), [])
  assert.equal((await signIn(hub, ana.email, PASSWORD)).status, 401)
  assert.equal((await signIn(hub, ana.email, NEW_PASSWORD)).status, 200)
})

test('the mail is in the first accepted language that is translated, else in English', {
  rules: ['mail.language-follows-its-reader'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()

  await requestReset(hub, ana.email, { 'accept-language': 'pt-BR,en;q=0.8' })
  const portuguese = await server.receive(1)
  await requestReset(hub, ana.email, { 'accept-language': 'ja' })
  const english = await server.receive(2)

  assert.match(portuguese.headers, /^Subject: Defina uma nova senha do Hubline$/m)
  assert.match(portuguese.text, /Ele funciona uma única vez, por uma hora/)
  assert.match(english.headers, /^Subject: Set a new password for Hubline$/m)
  assert.match(english.text, /It works once, for one hour/)
})

test('a known and an unknown e-mail are answered alike, before a link is created and while the mail server hangs', {
  rules: ['password.reset-answers-alike'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  server.behave('hang')

  // No link can be created for a person who is locked.
  const known = await hub.sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${ana.userId} for update`
    return requestReset(hub, ana.email)
  })
  const hanging = await requestReset(hub, bob.email)
  const unknown = await requestReset(hub, 'unknown-1@example.com')
  const logged = hub.logs.join('')
  await server.waitForConnections(2)
  server.disconnect()

  const reveal = ({ status, body, headers }: typeof known) => {
    const names = [...headers.keys()].filter((name) => name !== 'date')
    return { status, body, names, remaining: headers.get('ratelimit-remaining') }
  }
  assert.equal(known.status, 202)
  assert.deepEqual(reveal(known), reveal(unknown))
  assert.deepEqual(reveal(hanging), reveal(unknown))
  assert.doesNotMatch(logged, /mail failed/)
})

test('an unknown e-mail gets no mail and no link', { rules: ['password.reset-answers-alike'] }, async (t) => {
  const { hub, server } = await startHubWithMail(t)

  const requested = await requestReset(hub, 'unknown-2@example.com')
  await hub.stop()

  assert.equal(requested.status, 202)
  assert.equal(server.mails.length, 0)
})

test('a new password by mail ends every session and is in the audit log with its sender', {
  rules: ['password.reset-ends-sessions-keeps-factor', 'password.reset-is-audited'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const other = await hub.person({ organizationId: ana.organizationId, role: 'admin' })
  const token = await receiveToken(hub, server, ana.email)

  const done = await redeem(hub, token)

  assert.equal(done.status, 200)
  assert.equal((await ana.get('/console/session')).status, 401)
  const log = await other.get('/api/v1/audit-log?action=user.password_reset')
  const [entry] = log.body.data.entries
  assert.deepEqual(entry.actor, { type: 'user', id: ana.userId, name: 'Ana' })
  assert.deepEqual(entry.target, { type: 'user', id: ana.userId })
  assert.equal(entry.ip, '127.0.0.1')
  assert.equal(entry.request_id, done.headers.get('x-request-id'))
})

test('a new password by mail leaves the second factor on', {
  rules: ['password.reset-ends-sessions-keeps-factor'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const totp = new TOTP({ secret })
  const codeNow = () => totp.generate({ timestamp: hub.clock.now().getTime() })
  await ana.post('/console/totp/confirm', { code: codeNow() })
  const token = await receiveToken(hub, server, ana.email)

  await redeem(hub, token)
  const without = await signIn(hub, ana.email, NEW_PASSWORD)
  await hub.clock.advance('1 minute')
  const withCode = await signIn(hub, ana.email, NEW_PASSWORD, codeNow())

  assert.equal(without.status, 401)
  assert.partialDeepStrictEqual(without.body.error.details, { totp_required: true })
  assert.equal(withCode.status, 200)
})

test('a new password by mail ends the lock-out by wrong passwords from the same address', async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  for (let i = 0; i < 10; i++) await signIn(hub, ana.email, 'a guess')
  const locked = await signIn(hub, ana.email, PASSWORD)

  await redeem(hub, await receiveToken(hub, server, ana.email))

  assert.equal(locked.status, 429)
  assert.equal((await signIn(hub, ana.email, NEW_PASSWORD)).status, 200)
})

test('five requests an hour for one e-mail and twenty from one address are accepted, known or not', {
  rules: ['password.reset-is-limited'],
}, async (t) => {
  const { hub } = await startHubWithMail(t)
  const ana = await hub.person()
  for (const email of [ana.email, 'unknown-3@example.com']) {
    for (let i = 0; i < 5; i++) assert.equal((await requestReset(hub, email)).status, 202)

    const refused = await requestReset(hub, email.toUpperCase())

    assert.equal(refused.status, 429, email)
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  // All addresses of an IPv6 /64 count as one.
  const from = (i: number) => ({ 'x-forwarded-for': `2001:db8:1:2::${i.toString(16)}` })
  for (let i = 0; i < 20; i++) assert.equal((await requestReset(hub, `u${i}@example.com`, from(i))).status, 202)
  const refused = await requestReset(hub, 'another@example.com', from(99))
  await hub.clock.advance('1 hour')

  assert.equal(refused.status, 429)
  assert.equal((await requestReset(hub, ana.email)).status, 202)
})

test('without mail settings a request is 404 with the command of the operator', {
  rules: ['password.reset-needs-mail'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const refused = await hub.anonymous.post('/console/password-reset', { email: ana.email })

  assert.equal(refused.status, 404)
  assert.equal(refused.body.error.code, 'NOT_FOUND')
  assert.match(refused.body.error.message, /npm run admin -- reset-password --email EMAIL/)
})

test('invalid bodies and links are refused, and no refusal repeats them', {
  rules: ['password.has-8-to-200-characters', 'password.reset-link-works-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const token = await receiveToken(hub, server, ana.email)
  const { length: before } = server.mails

  const emails = ['', 'ana', 'ana@example.com\r\nBcc: eve@example.com', 'a@b.com,c@d.com', 'x'.repeat(300), 7, null]
  for (const email of emails) {
    const refused = await hub.anonymous.post('/console/password-reset', { email })
    assert.equal(refused.status, 400, String(email))
  }
  for (const body of [
    {},
    { password: 'short' },
    { password: 'x'.repeat(201) },
    { password: NEW_PASSWORD, totp: '1' },
  ]) {
    const refused = await hub.anonymous.post(`/console/password-reset/${token}`, body)
    assert.equal(refused.status, 400, JSON.stringify(body))
  }
  for (const link of [newToken('password_reset'), newToken('invitation'), 'nonsense', `${token}x`, '%27--']) {
    const refused = await redeem(hub, link)
    assert.equal(refused.status, 404, link)
    assert.ok(!refused.text.includes(link))
  }
  assert.equal(server.mails.length, before)
  assert.equal((await redeem(hub, token)).status, 200)
})

test('neither the database nor the log has the token or the address', {
  rules: ['password.reset-token-is-a-hash'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const token = await receiveToken(hub, server, ana.email)
  await hub.anonymous.get(`/console/password-reset/${token}`)
  await redeem(hub, token)
  server.behave('refuse-recipient')
  await requestReset(hub, ana.email)
  await hub.stop()

  const [stored, logged] = [await dumpDatabase(hub.sql), hub.logs.join('')]

  assert.match(logged, /mail failed/)
  for (const form of listEncodings(token)) assert.ok(!stored.includes(form) && !logged.includes(form))
  assert.ok(!logged.includes(ana.email))
})

test('a mail that the server refuses or loses is logged and counted, and the next one is sent', {
  rules: ['mail.failure-is-logged-and-counted'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const failures = () => hub.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'mail failed')
  let failed = Promise.withResolvers<void>()
  hub.context.mail.observe((_kind, outcome) => outcome === 'failed' && failed.resolve())

  for (const behavior of ['refuse-recipient', 'drop'] as const) {
    server.behave(behavior)
    assert.equal((await requestReset(hub, ana.email)).status, 202)
    await failed.promise
    failed = Promise.withResolvers()
  }
  server.behave('accept')
  const token = await receiveToken(hub, server, ana.email)
  const { text: metrics } = await hub.anonymous.get('/metrics')

  assert.match(metrics, /^hubline_mails_total\{kind="password_reset",outcome="failed"\} 2$/m)
  assert.match(metrics, /^hubline_mails_total\{kind="invitation",outcome="failed"\} 0$/m)
  assert.deepEqual(
    failures().map(({ level, kind, smtp_status }) => [level, kind, smtp_status]),
    [
      ['warn', 'password_reset', 550],
      ['warn', 'password_reset', undefined],
    ],
  )
  assert.match(token, /^hub_pr_/)
})

test('a stop of the hub sends the mails that are waiting', {
  rules: ['mail.failure-is-logged-and-counted'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const people = [await hub.person(), await hub.person(), await hub.person(), await hub.person(), await hub.person()]

  for (const { email } of people) await requestReset(hub, email)
  await hub.stop()

  assert.deepEqual(server.mails.flatMap(({ to }) => to).toSorted(), people.map(({ email }) => email).toSorted())
})

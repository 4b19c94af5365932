import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { TOTP } from 'otpauth'
import { postForm, readPageText } from '../../../../test/forms.ts'
import { ORIGIN, PASSWORD, startHub, type TestHub } from '../../../../test/hub.ts'
import {
  type MailServer,
  type ReceivedMail,
  readLink,
  readLinkToken,
  startMailServer,
} from '../../../../test/mail-server.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

async function startHubWithMail(t: TestContext) {
  const server = await startMailServer(t)
  const hub = await startHub(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32', ...server.env } })
  return { hub, server }
}

function createUnverified(hub: TestHub, membership?: Parameters<TestHub['person']>[0]): Promise<Person> {
  return hub.person(membership, { isEmailVerified: false })
}

/** From an own address, because the numbers per address are limited. */
function fromAnywhere(headers: Record<string, string> = {}) {
  return { headers: { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}`, ...headers } }
}

async function receiveMail(server: MailServer, person: Person, headers: Record<string, string> = {}) {
  const next = server.mails.length + 1
  const sent = await person.post('/console/email-verification', undefined, fromAnywhere(headers))
  assert.deepEqual([sent.status, sent.body], [202, { data: { verification: 'sent' } }])
  return server.receive(next)
}

function readCode({ text }: ReceivedMail): string {
  return /^([A-Z]{4}-[A-Z]{4})$/m.exec(text)?.[1] ?? ''
}

function confirm(person: Person, code: string) {
  return person.post('/console/email-verification/confirm', { code }, fromAnywhere())
}

function complete(hub: TestHub, token: string, password = PASSWORD) {
  return hub.anonymous.post(`/console/email-verification/${token}`, { password }, fromAnywhere())
}

async function isVerified(person: Person): Promise<boolean> {
  return (await person.get('/console/session')).body.data.user.email_verified
}

async function setUpTotp(hub: TestHub, person: Person): Promise<string> {
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  const code = new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
  assert.equal((await person.post('/console/totp/confirm', { code })).status, 200)
  return secret
}

test('the code in the mail verifies the e-mail of the signed-in person, once', {
  rules: ['email.code-or-link-verifies', 'email.code-and-link-work-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)

  const mail = await receiveMail(server, ana)
  const code = readCode(mail)
  const confirmed = await confirm(ana, ` ${code.toLowerCase().replace('-', ' ')} `)
  const again = await confirm(ana, code)
  const another = await ana.post('/console/email-verification', undefined, fromAnywhere())

  assert.deepEqual(mail.to, [ana.email])
  assert.equal(confirmed.status, 200)
  assert.equal(confirmed.body.data.user.email_verified, true)
  assert.equal(again.status, 400)
  assert.deepEqual([another.status, another.body.error.code], [409, 'CONFLICT'])
  const log = await ana.get('/api/v1/audit-log?action=user.email_verified')
  const [entry, ...others] = log.body.data.entries
  assert.equal(others.length, 0)
  assert.deepEqual([entry.target, entry.details], [{ type: 'user', id: ana.userId }, { by: 'code' }])
})

test('the link in the mail verifies the e-mail with the password of the account, once', {
  rules: ['email.code-or-link-verifies', 'email.code-and-link-work-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const mail = await receiveMail(server, ana)
  const token = readLinkToken({ ...mail, text: readLink(mail) })

  const shown = await hub.anonymous.get(`/console/email-verification/${token}`)
  const wrong = await complete(hub, token, 'a guess at it')
  const unverified = await isVerified(ana)
  const done = await complete(hub, token)
  const again = await complete(hub, token)

  assert.match(readLink(mail), new RegExp(`^${ORIGIN}/verify-email/hub_ev_[0-9A-Za-z]{49}$`))
  assert.equal(shown.body.data.email_verification.email, ana.email)
  assert.deepEqual([wrong.status, unverified], [401, false])
  assert.equal(done.status, 200)
  assert.deepEqual(done.headers.getSetCookie(), [])
  assert.equal(await isVerified(ana), true)
  assert.equal(again.status, 404)
  assert.equal((await confirm(ana, readCode(mail))).status, 400)
})

test('a link and a code expire after 24 hours, and a newer mail replaces them', {
  rules: ['email.code-and-link-work-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const older = await receiveMail(server, ana)
  const newer = await receiveMail(server, ana, { 'accept-language': 'pt-BR' })

  const replaced = [await confirm(ana, readCode(older)), await complete(hub, readLinkToken(older))]
  await hub.clock.advance('24 hours')
  const expired = [await confirm(ana, readCode(newer)), await complete(hub, readLinkToken(newer))]
  await hub.runJobs()

  assert.match(newer.text, /digite este código no painel/)
  assert.deepEqual(
    replaced.map(({ status }) => status),
    [400, 404],
  )
  assert.deepEqual(
    expired.map(({ status }) => status),
    [400, 404],
  )
  assert.equal(await isVerified(ana), false)
  assert.equal((await hub.sql`select 1 from email_verifications`).length, 0)
})

// Mail programs and their scanners open the links of a mail; and an owner must not verify the account of an attacker.
test('opening the link verifies nothing, and its page works without a script', {
  rules: ['email.opening-the-link-verifies-nothing'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const path = `/verify-email/${readLinkToken(await receiveMail(server, ana))}`

  const page = await hub.anonymous.get(path)
  await hub.anonymous.send('HEAD', path)
  const opened = await isVerified(ana)
  const foreign = await postForm(hub.anonymous, path, { password: PASSWORD }, { origin: 'https://evil.example' })
  const wrong = await postForm(hub.anonymous, path, { password: 'hunter2hunter2' })
  const done = await postForm(hub.anonymous, path, { password: PASSWORD })
  const used = await hub.anonymous.get(path, { headers: { 'accept-language': 'pt-BR' } })

  assert.match(page.text, new RegExp(`readonly value="${ana.email}"`))
  assert.match(page.text, /href="\/forgot-password\?lang=en"/)
  assert.doesNotMatch(page.text, /<script|undefined/)
  assert.deepEqual([opened, foreign.status, wrong.status], [false, 403, 401])
  assert.match(readPageText(wrong), /This is not the password of the account/)
  assert.doesNotMatch(wrong.text, /hunter2/)
  assert.match(readPageText(done), /Your e-mail is verified/)
  assert.equal(await isVerified(ana), true)
  assert.equal(used.status, 404)
  assert.match(readPageText(used), /Este link não vale mais/)
})

test("another person's code does not verify an e-mail", {
  rules: ['email.opening-the-link-verifies-nothing'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const [ana, eve] = [await createUnverified(hub), await createUnverified(hub)]
  const mail = await receiveMail(server, ana)

  const refused = await confirm(eve, readCode(mail))

  assert.equal(refused.status, 400)
  assert.deepEqual([await isVerified(ana), await isVerified(eve)], [false, false])
  assert.equal((await confirm(ana, readCode(mail))).status, 200)
})

test('exactly one of several concurrent uses of a code and its link counts', {
  rules: ['email.code-and-link-work-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const mail = await receiveMail(server, ana)

  const answers = await Promise.all([
    confirm(ana, readCode(mail)),
    complete(hub, readLinkToken(mail)),
    confirm(ana, readCode(mail)),
    complete(hub, readLinkToken(mail)),
  ])

  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const log = await ana.get('/api/v1/audit-log?action=user.email_verified')
  assert.equal(log.body.data.entries.length, 1)
})

test('ten codes in 15 minutes are compared for one person, and fifty from one address', {
  rules: ['email.verification-is-limited'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const code = readCode(await receiveMail(server, ana))
  for (let i = 0; i < 10; i++) assert.equal((await confirm(ana, 'ABCD-EFGH')).status, 400)
  const overPerson = await confirm(ana, code)
  const address = { headers: { 'x-forwarded-for': '203.0.113.50' } }
  const guess = (person: Person) => person.post('/console/email-verification/confirm', { code: 'ABCDEFGH' }, address)
  for (let i = 0; i < 5; i++) {
    const eve = await createUnverified(hub)
    for (let n = 0; n < 10; n++) assert.equal((await guess(eve)).status, 400)
  }
  const overAddress = await guess(await createUnverified(hub))
  await hub.clock.advance('15 minutes')

  assert.deepEqual([overPerson.status, overAddress.status], [429, 429])
  assert.equal((await confirm(ana, code)).status, 200)
})

test('five mails an hour are sent to a person, and twenty for one address', {
  rules: ['email.verification-is-limited'],
}, async (t) => {
  const { hub } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const request = (person: Person, options = fromAnywhere()) =>
    person.post('/console/email-verification', undefined, options)
  for (let i = 0; i < 5; i++) assert.equal((await request(ana)).status, 202)
  const address = { headers: { 'x-forwarded-for': '203.0.113.51' } }
  for (let i = 0; i < 20; i++) assert.equal((await request(await createUnverified(hub), address)).status, 202)

  assert.equal((await request(ana)).status, 429)
  assert.equal((await request(await createUnverified(hub), address)).status, 429)
})

test('wrong passwords at a link count against the limits of a sign-in', {
  rules: ['email.verification-is-limited'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const token = readLinkToken(await receiveMail(server, await createUnverified(hub)))
  const guess = (password: string) => hub.anonymous.post(`/console/email-verification/${token}`, { password })
  for (let i = 0; i < 10; i++) assert.equal((await guess('a guess at it')).status, 401)

  assert.equal((await guess(PASSWORD)).status, 429)
})

test('with mail a person whose e-mail is not verified cannot set a second factor', {
  rules: ['factor.needs-a-verified-email'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)

  const begun = await ana.post('/console/totp', { password: PASSWORD })
  // A secret that was created while the hub had no mail.
  await hub.sql`update users set totp_secret = 'x' where id = ${ana.userId}`
  const confirmed = await ana.post('/console/totp/confirm', { code: '123456' })
  await confirm(ana, readCode(await receiveMail(server, ana)))

  for (const { status, body } of [begun, confirmed]) {
    assert.deepEqual([status, body.error.code], [409, 'CONFLICT'])
    assert.partialDeepStrictEqual(body.error.details, { reason: 'email_not_verified' })
  }
  assert.ok(await setUpTotp(hub, ana))
})

test('without mail a person sets a second factor, and a request for a verification is 404', {
  rules: ['factor.needs-a-verified-email'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await createUnverified(hub)

  const refused = await ana.post('/console/email-verification')

  assert.deepEqual([refused.status, refused.body.error.message], [404, 'This installation sends no mail.'])
  assert.ok(await setUpTotp(hub, ana))
})

test('a member without a verified e-mail can verify it in an organization that requires a second factor', {
  rules: ['factor.own-account-stays-open'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const owner = await hub.person()
  const member = await createUnverified(hub, { organizationId: owner.organizationId, role: 'developer' })
  await setUpTotp(hub, owner)
  await owner.patch(`/console/organizations/${owner.organizationId}/settings`, { two_factor_required: true })
  assert.equal((await member.get('/api/v1/channels')).status, 403)

  const confirmed = await confirm(member, readCode(await receiveMail(server, member)))
  await setUpTotp(hub, member)

  assert.equal(confirmed.status, 200)
  assert.equal((await member.get('/api/v1/channels')).status, 200)
})

test('neither the database nor the log has the code or the token', {
  rules: ['email.code-and-link-work-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await createUnverified(hub)
  const mail = await receiveMail(server, ana)
  await hub.anonymous.get(`/verify-email/${readLinkToken(mail)}`)

  const [stored, logged] = [await dumpDatabase(hub.sql), hub.logs.join('')]

  for (const secret of [readLinkToken(mail), readCode(mail), readCode(mail).replace('-', '')]) {
    for (const encoded of listEncodings(secret)) assert.ok(!stored.includes(encoded) && !logged.includes(encoded))
  }
  for (const token of [newToken('email_verification'), newToken('sign_up'), 'nonsense']) {
    assert.equal((await complete(hub, token)).status, 404)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN, PASSWORD, readCookies, startHub } from '../../../../test/hub.ts'
import { readLink, readLinkToken, startMailServer } from '../../../../test/mail-server.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'
import { buildForm, finish, receiveSignUp, signUp, startHubWithLinks } from './test/fixture.ts'

test('with mail a sign-up is 202 without a session, and the link creates the account with a verified e-mail', {
  rules: ['signup.with-mail-every-email-is-answered-alike', 'signup.link-and-password-finish-it'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm()

  const accepted = await signUp(hub, { ...form, email: form.email.toUpperCase() })
  const mail = await server.receive(1)
  const before = await hub.sql`select 1 from users where email = ${form.email}`
  const token = readLinkToken(mail)
  const shown = await hub.anonymous.get(`/console/sign-up/${token}`)
  const finished = await finish(hub, token)

  assert.equal(accepted.status, 202)
  assert.deepEqual(accepted.body, { data: { verification: 'sent' } })
  assert.deepEqual(accepted.headers.getSetCookie(), [])
  assert.deepEqual(mail.to, [form.email])
  assert.match(readLink(mail), new RegExp(`^${ORIGIN}/finish-sign-up/hub_su_[0-9A-Za-z]{49}$`))
  assert.equal(before.length, 0)
  assert.equal(shown.body.data.sign_up.email, form.email)
  assert.equal(finished.status, 201)
  const { user, organization, role } = finished.body.data
  assert.deepEqual([user.email, user.email_verified, organization.name, role], [form.email, true, 'Acme', 'owner'])
  const session = await hub.anonymous.with({ cookie: readCookies(finished.headers) }).get('/console/session')
  assert.deepEqual(session.body, finished.body)
  assert.equal((await hub.anonymous.post('/console/sign-in', { email: form.email, password: PASSWORD })).status, 200)
})

test('a known e-mail is answered like an unknown one, and gets a mail that says so', {
  rules: ['signup.with-mail-every-email-is-answered-alike', 'signup.known-email-gets-a-mail'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const ana = await hub.person()
  const [known, unknown] = [buildForm({ email: ana.email }), buildForm()]

  // The work for an e-mail waits for the mail server, and the answers do not.
  server.behave('hang')
  const answers = [await signUp(hub, known), await signUp(hub, unknown)]
  await server.waitForConnections(2)
  server.behave('accept')
  server.disconnect()
  await signUp(hub, known)
  const mail = await server.receive(1)

  const reveal = ({ status, body, headers }: (typeof answers)[number]) => {
    const names = [...headers.keys()].filter((name) => name !== 'date')
    return { status, body, names, remaining: headers.get('ratelimit-remaining') }
  }
  assert.deepEqual(
    answers.map(reveal),
    answers.map(() => reveal(answers[1] as (typeof answers)[number])),
  )
  assert.deepEqual(mail.to, [ana.email])
  assert.match(mail.text, /It has one already, and nothing was changed/)
  assert.equal(readLink(mail), `${ORIGIN}/sign-in`)
  assert.equal((await hub.sql`select 1 from pending_sign_ups where email = ${ana.email}`).length, 0)
  assert.equal((await hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD })).status, 200)
})

test('the mail of a sign-up is in the language of the request and has nothing that the person entered', {
  rules: ['signup.known-email-gets-a-mail'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm({ name: 'Buy at evil.example', organization_name: 'https://evil.example' })

  await signUp(hub, form, { 'accept-language': 'pt-BR' })
  const portuguese = await server.receive(1)
  await signUp(hub, form)
  const english = await server.receive(2)

  assert.match(portuguese.text, /Para terminar, abra este link e digite a senha que você escolheu/)
  assert.match(english.text, /To finish, open this link and enter the password that you chose/)
  for (const { headers, text } of [portuguese, english]) assert.doesNotMatch(headers + text, /evil/)
})

// Mail programs and their scanners open the links of a mail.
test('opening the link of a sign-up does not use it, and a wrong password does not either', {
  rules: ['signup.link-works-once-for-24-hours', 'signup.opening-the-link-changes-nothing'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm()
  const token = await receiveSignUp(hub, server, form)

  for (const path of [`/finish-sign-up/${token}`, `/console/sign-up/${token}`]) {
    for (const method of ['GET', 'HEAD']) assert.equal((await hub.anonymous.send(method, path)).status, 200)
  }
  const wrong = await finish(hub, token, 'a guess at it')

  assert.equal(wrong.status, 401)
  assert.equal((await hub.sql`select 1 from users where email = ${form.email}`).length, 0)
  assert.equal((await finish(hub, token)).status, 201)
})

test('the link of a sign-up works once, for 24 hours', {
  rules: ['signup.link-works-once-for-24-hours'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const [used, late] = [buildForm(), buildForm()]
  const tokens = [await receiveSignUp(hub, server, used), await receiveSignUp(hub, server, late)] as const

  await hub.clock.advance('23 hours')
  const inTime = await finish(hub, tokens[0])
  const again = await finish(hub, tokens[0])
  await hub.clock.advance('1 hour')
  const tooLate = await finish(hub, tokens[1])
  await hub.runJobs()

  assert.equal(inTime.status, 201)
  assert.deepEqual([again.status, tooLate.status], [404, 404])
  for (const token of [newToken('sign_up'), newToken('invitation'), 'nonsense', tokens[1]]) {
    const refused = await hub.anonymous.get(`/console/sign-up/${token}`)
    assert.deepEqual([refused.status, refused.body.error.message], [404, 'Link not found.'])
  }
  assert.equal((await hub.sql`select 1 from pending_sign_ups`).length, 0)
})

test('exactly one of several concurrent uses of a link creates an account', {
  rules: ['signup.link-works-once-for-24-hours'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm()
  const token = await receiveSignUp(hub, server, form)

  const answers = await Promise.all(Array.from({ length: 5 }, () => finish(hub, token)))

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 404, 404, 404, 404])
  assert.equal((await hub.sql`select 1 from users where email = ${form.email}`).length, 1)
})

// An attacker may sign up with the address first: its owner must not confirm the attacker's password.
test('each link takes only the password of its own sign-up, and the first that is finished ends the others', {
  rules: ['signup.opening-the-link-changes-nothing', 'signup.first-finished-ends-the-others'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const own = buildForm()
  const attacker = { ...own, password: 'the password of an attacker', organization_name: 'Evil' }
  const attackerToken = await receiveSignUp(hub, server, attacker)
  const ownToken = await receiveSignUp(hub, server, own)

  const confused = await finish(hub, attackerToken, own.password)
  const finished = await finish(hub, ownToken, own.password)
  const late = await finish(hub, attackerToken, attacker.password)

  assert.equal(confused.status, 401)
  assert.equal(finished.status, 201)
  assert.equal(finished.body.data.organization.name, 'Acme')
  assert.equal(late.status, 404)
  const { status } = await hub.anonymous.post('/console/sign-in', { email: own.email, password: attacker.password })
  assert.equal(status, 401)
})

test('one of two people who finish their sign-ups with one address at once gets the account', {
  rules: ['signup.first-finished-ends-the-others'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const own = buildForm()
  const other = { ...own, password: 'another password' }
  const tokens = [await receiveSignUp(hub, server, own), await receiveSignUp(hub, server, other)] as const

  const answers = await Promise.all([
    finish(hub, tokens[0], own.password),
    finish(hub, tokens[1], other.password),
    finish(hub, tokens[0], own.password),
    finish(hub, tokens[1], other.password),
  ])

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 404, 404, 404])
  assert.equal((await hub.sql`select 1 from users where email = ${own.email}`).length, 1)
})

test('an address gets five mails of sign-ups an hour, known or not; the next sign-up is 429', {
  rules: ['signup.five-mails-an-hour'],
}, async (t) => {
  const { hub } = await startHubWithLinks(t)
  const ana = await hub.person()

  for (const form of [buildForm(), buildForm({ email: ana.email })]) {
    for (let i = 0; i < 5; i++) assert.equal((await signUp(hub, form)).status, 202)
    const refused = await signUp(hub, { ...form, email: form.email.toUpperCase() })

    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
})

test('wrong passwords at a link count against the limits of a sign-in', {
  rules: ['signup.opening-the-link-changes-nothing'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const token = await receiveSignUp(hub, server, buildForm())
  for (let i = 0; i < 10; i++) assert.equal((await finish(hub, token, 'a guess at it')).status, 401)

  assert.equal((await finish(hub, token)).status, 429)
})

test('an account that was made by invitation meanwhile ends the link of a sign-up', {
  rules: ['signup.first-finished-ends-the-others'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm()
  const token = await receiveSignUp(hub, server, form)
  const owner = await hub.person()
  const invited = await owner.post('/console/invitations', { email: form.email, role: 'viewer' })
  const invitation = invited.body.data.invitation_url.split('/').at(-1)
  await hub.anonymous.post(`/console/join/${invitation}`, { name: 'Ana', password: 'another password' })

  const refused = await finish(hub, token)

  assert.equal(refused.status, 404)
  assert.equal(
    (
      await hub.sql`select 1 from organizations where name = 'Acme' and id in (
    select organization_id from memberships m join users u on u.id = m.user_id where u.email = ${form.email})`
    ).length,
    0,
  )
})

test('neither the database nor the log has the token of a sign-up or its password', {
  rules: ['signup.link-works-once-for-24-hours'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm({ password: 'a very special password' })
  const token = await receiveSignUp(hub, server, form)
  await hub.anonymous.get(`/finish-sign-up/${token}`)

  const [stored, logged] = [await dumpDatabase(hub.sql), hub.logs.join('')]

  for (const secret of [token, form.password]) {
    for (const encoded of listEncodings(secret)) assert.ok(!stored.includes(encoded) && !logged.includes(encoded))
  }
  assert.ok(!logged.includes(form.email))
})

test('the first account needs the setup code if sign-up is closed, and uses it when its link is finished', {
  rules: ['signup.first-account-takes-a-setup-code'],
}, async (t) => {
  const { hub: empty } = { hub: await startHub(t, { env: {} }) }
  await empty.sql`truncate users, organizations, setup_codes, pending_sign_ups cascade`
  const { hub, server } = await startHubWithLinks(t, { SIGN_UP: 'closed' })
  const code = /setup code ([A-Z]{5}(?:-[A-Z]{5}){3})"/.exec(hub.logs.join(''))?.[1] ?? ''

  const without = await signUp(hub, buildForm())
  const wrong = await signUp(hub, buildForm({ setup_code: 'ABCDE-ABCDE-ABCDE-ABCDE' }))
  const [first, second] = [buildForm({ setup_code: code }), buildForm({ setup_code: code })]
  const tokens = [await receiveSignUp(hub, server, first), await receiveSignUp(hub, server, second)] as const
  const finished = await finish(hub, tokens[0])
  const late = await finish(hub, tokens[1])

  assert.deepEqual([without.status, wrong.status], [404, 400])
  assert.equal(finished.status, 201)
  assert.deepEqual([late.status, late.body.error.message], [404, 'Sign-up is closed here. Ask for an invitation.'])
  assert.equal((await hub.sql`select 1 from users`).length, 1)
})

test('in the sandbox a sign-up with mail creates the account at once, with an e-mail that is not verified', {
  rules: ['signup.creates-account-and-organization'],
}, async (t) => {
  const server = await startMailServer(t)
  const hub = await startHub(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32', ...server.env } })

  const signedUp = await signUp(hub, buildForm())

  assert.equal(signedUp.status, 201)
  assert.equal(signedUp.body.data.user.email_verified, false)
  assert.equal(server.mails.length, 0)
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAuthority, issue } from '../../test/certificates.ts'
import { type MailServer, startMailServer } from '../../test/mail-server.ts'
import { createLogger } from '../kernel/logger.ts'
import { createMailSender, type Mail } from './mail.ts'
import type { MailSettings } from './smtp.ts'

const MAIL: Mail = { kind: 'invitation', id: 'an-id', to: 'ana@example.com', subject: 'Oi', text: 'Olá,\n.\n..fim\n' }
const LOGIN = { user: 'hub', pass: 'hunter22' }
const AUTHORITY = createAuthority()
const TLS = issue(AUTHORITY, ['127.0.0.1'])

async function createSender(
  t: TestContext,
  server: MailServer,
  { deadlineMs = 20_000, ...settings }: { deadlineMs?: number } & Partial<MailSettings> = {},
) {
  const lines: string[] = []
  const from = { name: 'Padaria "São João", Inc.', address: 'hub@example.com' }
  const sender = createMailSender({
    settings: { host: '127.0.0.1', port: server.port, isSecure: false, login: undefined, from, ...settings },
    logger: createLogger('trace', { write: (line: string) => void lines.push(line) }),
    deadlineMs,
  })
  t.after(() => sender[Symbol.asyncDispose]())
  const outcomes: string[] = []
  sender.observe((kind, outcome) => outcomes.push(`${kind} ${outcome}`))
  return { sender, lines, outcomes }
}

test('a mail arrives with its text as it is', async (t) => {
  const server = await startMailServer(t)
  const { sender, outcomes } = await createSender(t, server)

  const isSent = await sender.send(MAIL)

  assert.equal(isSent, true)
  const mail = await server.receive(1)
  assert.equal(mail.text.trimEnd(), MAIL.text.trimEnd())
  assert.deepEqual(mail.to, ['ana@example.com'])
  assert.deepEqual(outcomes, ['invitation sent'])
})

test('line breaks in a subject or an address begin no header', {
  rules: ['mail.text-cannot-begin-a-header'],
}, async (t) => {
  const server = await startMailServer(t)
  const { sender } = await createSender(t, server)
  const subject = 'Oi\r\nBcc: eve@example.com\r\n\r\nbody'

  await sender.send({ ...MAIL, subject })
  await sender.send({ ...MAIL, to: 'ana@example.com>\r\nRCPT TO:<eve@example.com' })

  for (const { to, headers } of server.mails) {
    assert.ok(!to.includes('eve@example.com'))
    assert.doesNotMatch(headers, /^(Bcc|Cc):/im)
  }
  assert.match(server.mails[0]?.headers ?? '', /^Subject: Oi Bcc: eve@example.com/m)
})

for (const behavior of ['hang', 'trickle'] as const) {
  test(`a server that ${behavior}s fails the mail at its deadline`, async (t) => {
    const server = await startMailServer(t)
    const { sender, lines, outcomes } = await createSender(t, server, { deadlineMs: 300 })
    server.behave(behavior)

    const isSent = await sender.send(MAIL)

    assert.equal(isSent, false)
    assert.deepEqual(outcomes, ['invitation failed'])
    assert.match(lines.join(''), /"level":"warn".*"code":"ETIMEDOUT".*"msg":"mail failed"/)
  })
}

test('a server that disconnects after the mail gets it no second time', async (t) => {
  const server = await startMailServer(t)
  const { sender, outcomes } = await createSender(t, server)
  server.behave('drop')

  const isSent = await sender.send(MAIL)
  server.behave('accept')

  assert.equal(isSent, false)
  assert.deepEqual(outcomes, ['invitation failed'])
  assert.equal(await sender.send({ ...MAIL, id: 'another' }), true)
  assert.equal(server.mails.length, 1)
})

test('an attempt tells a certain refusal from an outcome that is not known', async (t) => {
  const server = await startMailServer(t)
  const { sender } = await createSender(t, server, { deadlineMs: 300 })
  const { sender: elsewhere } = await createSender(t, { ...server, port: 1 })
  const outcomes = [await sender.attempt(MAIL), await elsewhere.attempt(MAIL)]
  for (const behavior of ['refuse-recipient', 'drop', 'hang'] as const) {
    server.behave(behavior)
    outcomes.push(await sender.attempt(MAIL))
  }

  assert.deepEqual(outcomes, ['sent', 'refused', 'refused', 'unknown', 'unknown'])
})

test('a server that cannot be reached fails the mail', async (t) => {
  const server = await startMailServer(t)
  const { sender, lines } = await createSender(t, { ...server, port: 1 })

  assert.equal(await sender.send(MAIL), false)
  assert.match(lines.join(''), /ECONNREFUSED|ESOCKET/)
})

test('the sender signs in with user and password, and a refused login is logged without them', {
  rules: ['mail.password-is-never-shown'],
}, async (t) => {
  const server = await startMailServer(t, { offersLogin: true })
  const { sender, lines } = await createSender(t, server, { login: LOGIN })

  const isSent = await sender.send(MAIL)
  server.behave('refuse-login')
  const refused = await sender.send(MAIL)

  assert.deepEqual([isSent, refused], [true, false])
  assert.equal(server.mails[0]?.login, 'hub hunter22')
  assert.match(lines.join(''), /"code":"EAUTH","smtp_status":535/)
  assert.doesNotMatch(lines.join(''), /hunter22|ana@example/)
})

for (const isSecure of [true, false]) {
  test(`a mail is sent over TLS ${isSecure ? 'from the first byte' : 'if the server offers STARTTLS'}`, {
    rules: ['mail.password-goes-over-tls-only'],
  }, async (t) => {
    const server = await startMailServer(t, { offersLogin: true, tls: TLS, isSecure })
    const { sender, lines } = await createSender(t, server, { isSecure, login: LOGIN, ca: AUTHORITY.cert })

    const isSent = await sender.send(MAIL)

    assert.equal(isSent, true, lines.join(''))
    assert.deepEqual([server.mails[0]?.isSecure, server.mails[0]?.login], [true, 'hub hunter22'])
  })

  test(`a certificate that is not trusted fails the mail, TLS being ${isSecure ? 'implicit' : 'STARTTLS'}`, {
    rules: ['mail.password-goes-over-tls-only'],
  }, async (t) => {
    const server = await startMailServer(t, { offersLogin: true, tls: TLS, isSecure })
    const { sender, lines } = await createSender(t, server, { isSecure, login: LOGIN })

    assert.equal(await sender.send(MAIL), false)
    assert.equal(server.mails.length, 0)
    assert.match(lines.join(''), /certificate/)
  })
}

// 0.0.0.0 is this machine, and not a loopback address.
test('a password is not sent to another machine without TLS', {
  rules: ['mail.password-goes-over-tls-only'],
}, async (t) => {
  const server = await startMailServer(t, { offersLogin: true })
  const { sender: withLogin, lines } = await createSender(t, server, { host: '0.0.0.0', login: LOGIN })
  const { sender: without } = await createSender(t, server, { host: '0.0.0.0' })

  const sent = [await withLogin.send(MAIL), await without.send(MAIL)]

  assert.deepEqual(sent, [false, true])
  assert.deepEqual(
    server.mails.map(({ login }) => login),
    [null],
  )
  assert.match(lines.join(''), /ETLS/)
})

test('a queue that is full refuses further mail as OVERLOADED, and a stop ends it', async (t) => {
  const server = await startMailServer(t)
  const { sender, lines } = await createSender(t, server, { deadlineMs: 300 })
  server.behave('hang')
  const compose = async () => MAIL

  for (let i = 0; i < 100; i++) sender.enqueue(compose)
  assert.throws(() => sender.enqueue(compose), { code: 'OVERLOADED', retryAfterSeconds: 60 })
  await sender[Symbol.asyncDispose]()

  assert.match(lines.join(''), /mails were not sent before the stop/)
})

test('a mail that cannot be composed is logged, and the next one is sent', async (t) => {
  const server = await startMailServer(t)
  const { sender, lines } = await createSender(t, server)

  sender.enqueue(async () => {
    throw new Error('no database')
  })
  sender.enqueue(async () => MAIL)
  await server.receive(1)

  assert.match(lines.join(''), /"message":"no database".*"msg":"mail could not be composed"/)
})

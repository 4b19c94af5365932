import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../../kernel/env.ts'
import { readConfig } from './config.ts'

const FROM = 'hub@example.com'

function listProblems(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (err) {
    assert.ok(err instanceof ConfigError)
    return err.problems
  }
}

test('SMTP_URL names the server, with TLS from the start for smtps, and its user and password', {
  rules: ['mail.needs-smtp-url-and-sender'],
}, () => {
  const from = { name: '', address: FROM }
  const read = (SMTP_URL: string) => readConfig({ SMTP_URL, MAIL_FROM: FROM }).mail

  assert.deepEqual(read('smtp://mail.example.com'), {
    host: 'mail.example.com',
    port: 587,
    isSecure: false,
    login: undefined,
    from,
  })
  assert.deepEqual(read('smtps://hub%40example.com:p%40ss%2Fword@mail.example.com/'), {
    host: 'mail.example.com',
    port: 465,
    isSecure: true,
    login: { user: 'hub@example.com', pass: 'p@ss/word' },
    from,
  })
  assert.deepEqual(read('smtp://[::1]:2525'), { host: '::1', port: 2525, isSecure: false, login: undefined, from })
})

test('MAIL_FROM is an address or a name with one', { rules: ['mail.needs-smtp-url-and-sender'] }, () => {
  const read = (MAIL_FROM: string) => readConfig({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM }).mail?.from

  assert.deepEqual(read(FROM), { name: '', address: FROM })
  assert.deepEqual(read(`Padaria, Inc. <${FROM}>`), { name: 'Padaria, Inc.', address: FROM })
  assert.deepEqual(read(`"Padaria" <${FROM}>`), { name: 'Padaria', address: FROM })
})

test('SMTP_URL and MAIL_FROM are set together, else the start names the missing one', {
  rules: ['mail.needs-smtp-url-and-sender'],
}, () => {
  assert.deepEqual(listProblems({ SMTP_URL: 'smtp://mail.example.com' }), ['MAIL_FROM is required with SMTP_URL'])
  assert.deepEqual(listProblems({ MAIL_FROM: FROM }), ['SMTP_URL is required with MAIL_FROM'])
})

const INVALID_URLS = [
  'https://user:hunter22@mail.example.com',
  'mail.example.com:587',
  'smtp://',
  'smtp:///hunter22',
  'smtp://user:hunter22@mail.example.com/?tls.rejectUnauthorized=false',
  'smtp://user:hunter22@mail.example.com/inbox',
  'smtp://hunter22@mail.example.com',
  'smtp://:hunter22@mail.example.com',
  'smtp://user:hunter22%@mail.example.com',
  'smtp://user:hunter22@mail.example.com:99999',
]

for (const SMTP_URL of INVALID_URLS) {
  test(`SMTP_URL=${SMTP_URL} stops the start, and its password is not printed`, {
    rules: ['mail.needs-smtp-url-and-sender', 'mail.password-is-never-shown'],
  }, () => {
    const problems = listProblems({ SMTP_URL, MAIL_FROM: FROM })

    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', /^SMTP_URL must /)
    assert.doesNotMatch(problems[0] ?? '', /hunter22/)
  })
}

for (const MAIL_FROM of [
  'hub',
  'Hubline',
  '<>',
  'Hubline <hub>',
  `Eve\r\nBcc: eve@example.com <${FROM}>`,
  `${FROM}, ${FROM}`,
]) {
  test(`MAIL_FROM=${JSON.stringify(MAIL_FROM)} stops the start`, { rules: ['mail.needs-smtp-url-and-sender'] }, () => {
    const problems = listProblems({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM })

    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', /^MAIL_FROM must /)
  })
}

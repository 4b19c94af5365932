import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, readCookies, startHub, type TestHub } from '../../../../test/hub.ts'
import { dumpDatabase } from '../../../../test/stored-secrets.ts'

const NEW_PASSWORD = 'another horse, another battery'

function signIn(hub: TestHub, email: string, password: string) {
  return hub.anonymous.post('/console/sign-in', { email, password })
}

test('a new password replaces the old one and ends every other session', {
  rules: ['password.change-ends-other-sessions'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const cookie = readCookies((await signIn(hub, ana.email, PASSWORD)).headers)

  const changed = await ana.put('/console/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })

  assert.equal(changed.status, 200)
  assert.equal((await ana.get('/console/session')).status, 200)
  assert.equal((await hub.anonymous.get('/console/session', { headers: { cookie } })).status, 401)
  assert.equal((await signIn(hub, ana.email, PASSWORD)).status, 401)
  assert.equal((await signIn(hub, ana.email, NEW_PASSWORD)).status, 200)
})

test('a change without the current password is refused', {
  rules: ['password.change-ends-other-sessions'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const wrong = await ana.put('/console/password', { current_password: 'a guess', new_password: NEW_PASSWORD })
  const missing = await ana.put('/console/password', { new_password: NEW_PASSWORD })

  assert.equal(wrong.status, 401)
  assert.equal(missing.status, 400)
  assert.equal((await signIn(hub, ana.email, PASSWORD)).status, 200)
})

test('wrong guesses of the current password through a session count against the sign-in limit', {
  rules: ['signin.limits-hold-for-every-password-prompt'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const guess = { current_password: 'a guess', new_password: NEW_PASSWORD }
  for (let i = 0; i < 10; i++) assert.equal((await ana.put('/console/password', guess)).status, 401)

  const refused = await ana.put('/console/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })

  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})

for (const [what, new_password] of Object.entries({ short: 'x'.repeat(7), long: 'x'.repeat(201) })) {
  test(`a new password that is too ${what} is refused`, { rules: ['password.has-8-to-200-characters'] }, async (t) => {
    const hub = await startHub(t)
    const ana = await hub.person()

    const refused = await ana.put('/console/password', { current_password: PASSWORD, new_password })

    assert.equal(refused.status, 400)
    assert.ok(!refused.text.includes(new_password))
  })
}

for (const length of [8, 200]) {
  test(`a new password may have ${length} characters of any script, at sign-up, on joining and on a change`, {
    rules: ['password.has-8-to-200-characters'],
  }, async (t) => {
    const hub = await startHub(t)
    const ana = await hub.person()
    const password = Array.from({ length }, (_, at) => String.fromCodePoint(0x1f400 + ((at * at) % 127))).join('')
    const email = `new-${length}-${ana.email}`
    const invited = await ana.post('/console/invitations', { email: `joins-${email}`, role: 'viewer' })
    const link = invited.body.data.invitation_url.split('/').at(-1)

    const changed = await ana.put('/console/password', { current_password: PASSWORD, new_password: password })
    const signedUp = await hub.anonymous.post('/console/sign-up', {
      name: 'Eva',
      organization_name: 'Acme',
      email,
      password,
    })
    const joined = await hub.anonymous.post(`/console/join/${link}`, { name: 'Bob', password })

    assert.deepEqual([changed.status, signedUp.status, joined.status], [200, 201, 200])
    for (const address of [ana.email, email, `joins-${email}`]) {
      assert.equal((await signIn(hub, address, password)).status, 200)
    }
  })
}

test('composed and decomposed accents make the same password', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const password = 'coração de estudante'
  await ana.put('/console/password', { current_password: PASSWORD, new_password: password.normalize('NFD') })

  const signedIn = await signIn(hub, ana.email, password.normalize('NFC'))

  assert.equal(signedIn.status, 200)
})

test('the database stores a password as argon2id and never in plain text', {
  rules: ['password.is-stored-as-argon2id'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  await ana.put('/console/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })
  const [row] = await hub.sql<{ password_hash: string }[]>`select password_hash from users where id = ${ana.userId}`

  assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const stored = await dumpDatabase(hub.sql)
  assert.ok(!stored.includes(NEW_PASSWORD))
})

test('a sign-in with the old password that runs concurrently with a change leaves no session', async (t) => {
  const hub = await startHub(t)

  for (let round = 0; round < 8; round++) {
    const ana = await hub.person()
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD }

    const [changed, ...signedIn] = await Promise.all([
      ana.put('/console/password', change),
      ...Array.from({ length: 6 }, () => signIn(hub, ana.email, PASSWORD)),
    ])

    assert.equal(changed.status, 200)
    const cookies = signedIn.filter(({ status }) => status === 200).map(({ headers }) => readCookies(headers))
    for (const cookie of cookies) {
      assert.equal((await hub.anonymous.get('/console/session', { headers: { cookie } })).status, 401)
    }
    await hub.clock.advance('15 minutes')
  }
})

test('runs of neighbors and repeated parts are refused as common passwords are', {
  rules: ['signin.predictable-password-is-400'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  for (const new_password of ['123456789012', 'aaaaaaaaaaaa', 'qwertyuiop12', 'abcabcabcabc']) {
    const form = { name: 'Bia', email: 'bia@example.com', password: new_password, organization_name: 'Acme' }
    const changed = await ana.put('/console/password', { current_password: PASSWORD, new_password })
    const signedUp = await hub.anonymous.post('/console/sign-up', form)
    for (const { status, body } of [changed, signedUp]) {
      assert.deepEqual([status, body.error.details.reason], [400, 'password_common'], new_password)
    }
  }
})

test('a common password is refused at a change and at a sign-up, with the path of the field', {
  rules: ['signin.common-password-is-400'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const form = { name: 'Bia', email: 'bia@example.com', password: 'Password123', organization_name: 'Acme' }

  const changed = await ana.put('/console/password', { current_password: PASSWORD, new_password: 'Password1' })
  const signedUp = await hub.anonymous.post('/console/sign-up', form)

  for (const [answer, path] of [
    [changed, '/new_password'],
    [signedUp, '/password'],
  ] as const) {
    assert.equal(answer.status, 400, answer.text)
    const { reason, issues } = answer.body.error.details
    assert.deepEqual([reason, issues[0].path], ['password_common', path])
  }
})

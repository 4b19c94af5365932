import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { postForm, readPageText } from '../../../../../test/forms.ts'
import { ORIGIN, PASSWORD, readCookies, startHub, type TestHub } from '../../../../../test/hub.ts'
import { newToken } from '../../../../kernel/crypto/tokens.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

function newEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

/** The path of the page of an invitation. */
async function invite(by: Person, email = newEmail(), role = 'developer'): Promise<string> {
  const invited = await by.post('/console/invitations', { email, role })
  assert.equal(invited.status, 201)
  return new URL(invited.body.data.invitation_url).pathname
}

function join(hub: TestHub, path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return postForm(hub.anonymous, path, { name: 'Bob', password: PASSWORD, ...fields }, headers)
}

test('the link of an invitation is a page on which a person without an account joins and is signed in', {
  rules: ['invitation.page-reveals-no-account'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const email = newEmail()
  const path = await invite(ana, email)

  const page = await hub.anonymous.get(path)
  const joined = await join(hub, path)

  assert.equal(page.status, 200)
  assert.match(readPageText(page), /You are invited to join Ana&#39;s with the role Developer/)
  assert.match(page.text, new RegExp(`readonly value="${email}"`))
  assert.doesNotMatch(page.text, /<script|name="totp"|undefined/)
  assert.equal(joined.status, 200)
  assert.match(readPageText(joined), /You have joined Ana&#39;s You are signed in\. Open the dashboard/)
  assert.match(joined.text, /<a href="\/">Open the dashboard<\/a>/)
  const bob = hub.anonymous.with({ cookie: readCookies(joined.headers), origin: ORIGIN })
  const session = await bob.get('/console/session')
  assert.equal(session.body.data.user.name, 'Bob')
  assert.equal(session.body.data.role, 'developer')
})

test('the page is in Portuguese for a browser that prefers it', {
  rules: ['invitation.page-reveals-no-account'],
}, async (t) => {
  const hub = await startHub(t)
  const path = await invite(await hub.person())
  const headers = { 'accept-language': 'pt-BR' }

  const page = await hub.anonymous.get(path, { headers })
  const weak = await join(hub, path, { password: 'x' }, headers)
  const joined = await join(hub, path, {}, headers)

  assert.match(readPageText(page), /Aceite o convite .*com o papel Desenvolvimento/)
  assert.match(readPageText(weak), /A senha tem de 8 a 200 caracteres/)
  assert.match(readPageText(joined), /Você agora participa de Ana&#39;s Você já entrou\. Abrir o painel/)
})

// The person who made the invitation has the link too.
test('the page does not reveal whether the e-mail has an account', {
  rules: ['invitation.page-reveals-no-account'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const unknown = newEmail()

  const withAccount = await hub.anonymous.get(await invite(ana, bob.email))
  const without = await hub.anonymous.get(await invite(ana, unknown))

  assert.equal(withAccount.text.replaceAll(bob.email, ''), without.text.replaceAll(unknown, ''))
})

test('a person with an account joins with its password and code, and mistakes show the form again', {
  rules: ['invitation.page-reveals-no-account', 'page.never-repeats-a-password'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { secret } = (await bob.post('/console/totp', { password: PASSWORD })).body.data
  const codeNow = () => new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
  await bob.post('/console/totp/confirm', { code: codeNow() })
  await hub.clock.advance('1 minute')
  const path = await invite(ana, bob.email)

  const wrong = await join(hub, path, { password: 'hunter2hunter2' })
  const withoutCode = await join(hub, path)
  const wrongCode = await join(hub, path, { totp: '000000' })
  const joined = await join(hub, path, { totp: ` ${codeNow()} ` })

  assert.match(readPageText(wrong), /This is not the password of your account.*Forgot your password\?/)
  assert.match(readPageText(withoutCode), /Your account has a second factor.*Code of your authenticator app/)
  assert.match(readPageText(wrongCode), /The code is wrong.*Code of your authenticator app/)
  for (const page of [wrong, withoutCode, wrongCode]) {
    assert.equal(page.status, 401)
    assert.match(page.text, /role="alert"/)
    assert.doesNotMatch(page.text, /hunter2|correct horse|000000/)
    assert.deepEqual(page.headers.getSetCookie(), [])
  }
  assert.equal(joined.status, 200)
})

test('a new person without a name, or with one that is too long, gets the form again', {
  rules: ['page.never-repeats-a-password'],
}, async (t) => {
  const hub = await startHub(t)
  const path = await invite(await hub.person())

  for (const name of ['', '   ', '<b>'.repeat(40)]) {
    const refused = await join(hub, path, { name })
    assert.equal(refused.status, 400, name)
    assert.match(refused.text, /role="alert">Enter your name/)
    assert.doesNotMatch(refused.text, /<b>/)
  }
  assert.equal((await join(hub, path)).status, 200)
})

test('a link that is unknown, used or revoked has a page that says so', {
  rules: ['page.never-repeats-a-password'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const used = await invite(ana)
  await join(hub, used)
  const email = newEmail()
  const replaced = await invite(ana, email)
  await invite(ana, email)

  for (const path of [used, replaced, `/join/${newToken('invitation')}`, '/join/nonsense']) {
    for (const page of [await hub.anonymous.get(path), await join(hub, path)]) {
      assert.equal(page.status, 404, path)
      assert.match(readPageText(page), /This invitation no longer works/)
    }
  }
})

// Otherwise a page of another site could sign a person in to an account of its own.
test('a form of another site is refused and sets no cookie', { rules: ['page.foreign-form-is-403'] }, async (t) => {
  const hub = await startHub(t)
  const path = await invite(await hub.person())

  for (const origin of ['https://evil.example', 'null']) {
    const refused = await join(hub, path, {}, { origin })
    assert.equal(refused.status, 403, origin)
    assert.deepEqual(refused.headers.getSetCookie(), [])
  }
  const page = await hub.anonymous.get(path)
  assert.equal(page.headers.get('referrer-policy'), 'strict-origin')
})

test('wrong passwords on the page count against the limit of a sign-in', {
  rules: ['signin.limits-hold-for-every-password-prompt'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const path = await invite(ana, bob.email)
  for (let i = 0; i < 10; i++) assert.equal((await join(hub, path, { password: 'a wrong guess' })).status, 401)

  const refused = await join(hub, path)

  assert.equal(refused.status, 429)
  assert.match(readPageText(refused), /Too many attempts/)
})

test('names of an organization are escaped', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await hub.sql`update organizations set name = '<img src=x onerror=alert(1)>' where id = ${ana.organizationId}`
  const path = await invite(ana)

  const [page, joined] = [await hub.anonymous.get(path), await join(hub, path)]

  for (const { text } of [page, joined]) assert.doesNotMatch(text, /<img/)
})

test('the name of an organization cannot reorder the sentence, and a name that would is not taken', {
  rules: ['member.names-have-no-control-characters', 'page.names-cannot-reorder-words'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await hub.sql`update organizations set name = ${'\u202Eמאפייה\u2069'} where id = ${ana.organizationId}`
  const path = await invite(ana)

  const page = await hub.anonymous.get(path)
  const refused = await join(hub, path, { name: 'Bob\u202E' })
  const joined = await join(hub, path)

  assert.match(readPageText(page), /You are invited to join \u2068מאפייה\u2069 with the role/)
  assert.equal(refused.status, 400)
  assert.doesNotMatch(refused.text, /\u202E/)
  assert.match(joined.text, /You have joined \u2068מאפייה\u2069/)
})

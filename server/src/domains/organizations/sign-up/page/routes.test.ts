import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postForm, readPageText } from '../../../../../test/forms.ts'
import { ORIGIN, PASSWORD, readCookies } from '../../../../../test/hub.ts'
import { newToken } from '../../../../kernel/crypto/tokens.ts'
import { buildForm, receiveSignUp, startHubWithLinks } from '../test/fixture.ts'

test('the link of a sign-up is a page without a script that asks for the password and signs the person in', {
  rules: ['signup.link-and-password-finish-it'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const form = buildForm({ organization_name: '<img src=x onerror=alert(1)>' })
  const path = `/finish-sign-up/${await receiveSignUp(hub, server, form)}`

  const page = await hub.anonymous.get(path)
  const wrong = await postForm(hub.anonymous, path, { password: 'hunter2hunter2' })
  const done = await postForm(hub.anonymous, path, { password: PASSWORD })
  const again = await hub.anonymous.get(path, { headers: { 'accept-language': 'pt-BR' } })

  assert.equal(page.status, 200)
  assert.match(page.text, new RegExp(`readonly value="${form.email}"`))
  assert.doesNotMatch(page.text, /<script|<img|undefined/)
  assert.equal(wrong.status, 401)
  assert.match(readPageText(wrong), /This is not the password that was chosen/)
  assert.doesNotMatch(wrong.text, /hunter2/)
  assert.deepEqual(wrong.headers.getSetCookie(), [])
  assert.equal(done.status, 200)
  assert.match(readPageText(done), /Your account is ready .*Open the dashboard/)
  const session = await hub.anonymous
    .with({ cookie: readCookies(done.headers), origin: ORIGIN })
    .get('/console/session')
  assert.equal(session.body.data.user.email_verified, true)
  assert.equal(again.status, 404)
  assert.match(readPageText(again), /Este link não vale mais .*Entrar/)
})

// Otherwise a page of another site could sign a person in to an account of its own.
test('a form of another site does not finish a sign-up, and an unknown link has a page', {
  rules: ['signup.opening-the-link-changes-nothing'],
}, async (t) => {
  const { hub, server } = await startHubWithLinks(t)
  const path = `/finish-sign-up/${await receiveSignUp(hub, server, buildForm())}`

  const foreign = await postForm(hub.anonymous, path, { password: PASSWORD }, { origin: 'https://evil.example' })
  const unknown = await hub.anonymous.get(`/finish-sign-up/${newToken('sign_up')}`)

  assert.equal(foreign.status, 403)
  assert.deepEqual(foreign.headers.getSetCookie(), [])
  assert.equal(unknown.status, 404)
  assert.match(readPageText(unknown), /This link no longer works/)
})

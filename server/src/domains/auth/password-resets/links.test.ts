import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, type TestHub } from '../../../../test/hub.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { readLinkToken } from '../../../../test/mail-server.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { OPERATOR } from '../../audit/initiator.ts'
import { NEW_PASSWORD, receiveToken, redeem, requestReset, signIn, startHubWithMail } from './test/fixture.ts'

test('a link works once, and of concurrent uses one succeeds', {
  rules: ['password.reset-link-works-once'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const token = await receiveToken(hub, server, ana.email)
  const passwords = Array.from({ length: 5 }, (_, i) => `${NEW_PASSWORD} ${i}`)

  const answers = await Promise.all(passwords.map((password) => redeem(hub, token, password)))
  const again = await redeem(hub, token)
  const shown = await hub.anonymous.get(`/console/password-reset/${token}`)

  const winner = answers.findIndex(({ status }) => status === 200)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const refused of [...answers.filter((_, i) => i !== winner), again, shown]) {
    assert.equal(refused.status, 410)
    assert.equal(refused.body.error.code, 'CONNECT_LINK_USED')
  }
  assert.equal((await signIn(hub, ana.email, passwords[winner] ?? '')).status, 200)
})

test('a link expires after an hour', { rules: ['password.reset-link-works-once'] }, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const token = await receiveToken(hub, server, ana.email)

  await hub.clock.advance('59 minutes')
  const inTime = await hub.anonymous.get(`/console/password-reset/${token}`)
  await hub.clock.advance('1 minute')
  const late = await redeem(hub, token)

  assert.equal(inTime.status, 200)
  assert.equal(late.status, 410)
  assert.equal(late.body.error.code, 'CONNECT_LINK_EXPIRED')
  assert.equal((await signIn(hub, ana.email, PASSWORD)).status, 200)
})

test('a newer link, a change of the password and a reset by the operator end the older links', {
  rules: ['password.newer-link-ends-older-ones'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ENDINGS: Record<string, (person: Awaited<ReturnType<TestHub['person']>>) => Promise<unknown>> = {
    newer: (person) => receiveToken(hub, server, person.email),
    changed: (person) =>
      person.put('/console/password', { current_password: PASSWORD, new_password: 'a third password' }),
    operator: (person) => hub.context.account.resetPassword(person.email, OPERATOR),
  }

  for (const [what, end] of Object.entries(ENDINGS)) {
    const ana = await hub.person()
    const token = await receiveToken(hub, server, ana.email)
    await end(ana)

    const refused = await redeem(hub, token)

    assert.equal(refused.status, 410, what)
    assert.equal(refused.body.error.code, 'CONNECT_LINK_EXPIRED', what)
    assert.equal((await signIn(hub, ana.email, NEW_PASSWORD)).status, 401, what)
  }
})

test('concurrent requests for one person leave one link that works', {
  rules: ['password.newer-link-ends-older-ones'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()

  const lock = (tx: Tx) => tx`select 1 from users where id = ${ana.userId} for update`
  const work = () => Promise.all(Array.from({ length: 3 }, () => requestReset(hub, ana.email)))
  await contend(lock, { waiting: 3, work })
  await server.receive(3)
  const shown = await Promise.all(
    server.mails.map((mail) => hub.anonymous.get(`/console/password-reset/${readLinkToken(mail)}`)),
  )

  assert.deepEqual(shown.map(({ status }) => status).toSorted(), [200, 410, 410])
})

test('a link that is revoked while it is being used changes nothing', {
  rules: ['password.newer-link-ends-older-ones'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const token = await receiveToken(hub, server, ana.email)

  const lock = async (tx: Tx) => {
    await tx`select 1 from users where id = ${ana.userId} for update`
    await tx`update password_resets set revoked_at = hub_now() where user_id = ${ana.userId}`
  }
  const refused = await contend(lock, { waiting: 1, work: () => redeem(hub, token) })

  assert.equal(refused.status, 410)
  assert.equal((await ana.get('/console/session')).status, 200)
  assert.equal((await signIn(hub, ana.email, PASSWORD)).status, 200)
})

test('a link and a change of the password that run concurrently both end, and one password is valid', async (t) => {
  const { hub, server } = await startHubWithMail(t)

  for (let round = 0; round < 5; round++) {
    const ana = await hub.person()
    const token = await receiveToken(hub, server, ana.email)
    const change = { current_password: PASSWORD, new_password: 'a third password' }

    const [changed, redeemed] = await Promise.all([ana.put('/console/password', change), redeem(hub, token)])

    const signedIn = await Promise.all([NEW_PASSWORD, 'a third password'].map((one) => signIn(hub, ana.email, one)))
    assert.ok(changed.status === 200 || redeemed.status === 200, `${changed.text} ${redeemed.text}`)
    assert.deepEqual(signedIn.map(({ status }) => status).toSorted(), [200, 401])
  }
})

test('a job deletes links a week after they expired', async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()
  const token = await receiveToken(hub, server, ana.email)

  await hub.clock.advance('7 days')
  await hub.runJobs()
  const kept = await redeem(hub, token)
  await hub.clock.advance('2 hours')
  await hub.runJobs()
  const gone = await redeem(hub, token)

  assert.deepEqual([kept.status, gone.status], [410, 404])
})

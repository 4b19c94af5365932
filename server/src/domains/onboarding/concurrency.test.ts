import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'
import {
  createChannel,
  createLink,
  listAuditEntries,
  listEvents,
  PIN,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'
import { startRelayed } from '../../../test/relay.ts'

test('one of ten concurrent uses of one link in two processes connects', {
  rules: ['connect.link-works-once', 'connect.concurrent-posts-connect-once'],
}, async (t) => {
  const setup = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const other = await startHub(t, { simulator: setup.up.simulator })
  const acme = await setup.hub.organization()

  for (let round = 0; round < 3; round++) {
    const { id } = await createChannel(acme)
    const link = await createLink(acme, id)
    const number = await setup.up.number({ registered: false })
    const code = await setup.up.signUpCode(number.wabaId)
    const body = { code, waba_id: number.wabaId, pin: PIN }
    const exchanges = (await setup.requests('/oauth/access_token')).length
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? other : setup.hub).anonymous.post(`/api/v1/connect/${link}`, body)),
    )

    const outcomes = answers.map(({ status, body }) => (status === 200 ? 'connected' : `${status} ${body.error.code}`))
    assert.equal(outcomes.filter((outcome) => outcome === 'connected').length, 1, outcomes.join())
    const others = outcomes.filter((outcome) => outcome !== 'connected')
    const allowed = ['409 OPERATION_IN_PROGRESS', '410 CONNECT_LINK_USED']
    assert.ok(
      others.every((outcome) => allowed.includes(outcome)),
      outcomes.join(),
    )
    assert.equal((await setup.requests('/oauth/access_token')).length, exchanges + 1)
    assert.equal((await setup.requests(`/${number.phoneNumberId}/register`)).length, 1)
    assert.equal((await listEvents(setup.hub.sql, id)).filter(({ kind }) => kind === 'channel.connected').length, 1)
    const actions = (await listAuditEntries(acme, id)).map(({ action }) => action)
    assert.equal(actions.filter((action) => action === 'channel.connected').length, 1)
  }
})

test('a link in use is 409 for another use, and is shown as open', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)
  await setup.hub.context.connectLinks.claim(link)

  const posted = await setup.post(link, await setup.up.number())
  const shown = await setup.hub.anonymous.get(`/api/v1/connect/${link}`)

  assert.equal(posted.status, 409)
  assert.equal(posted.body.error.code, 'OPERATION_IN_PROGRESS')
  assert.equal(shown.body.data.status, 'open')
  assert.equal((await setup.requests()).length, 0)
})

test('the claim of a process that died expires after three minutes', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)
  const number = await setup.up.number()
  await setup.hub.context.connectLinks.claim(link)

  await setup.hub.clock.advance('170 seconds')
  const early = await setup.post(link, number)
  await setup.hub.clock.advance('11 seconds')
  const connected = await setup.post(link, number)

  assert.deepEqual([early.status, connected.status], [409, 200])
})

test('an expired claim cannot spend a link that another claim holds', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { connectLinks } = setup.hub.context
  const link = await createLink(acme, (await createChannel(acme)).id)
  const late = await connectLinks.claim(link)
  await setup.hub.clock.advance('181 seconds')
  const next = await connectLinks.claim(link)

  await connectLinks.release(late)
  const spent = setup.hub.sql.begin((tx) => connectLinks.spend(tx, late))

  await assert.rejects(spent, { code: 'CONNECT_LINK_EXPIRED' })
  await assert.rejects(connectLinks.claim(link), { code: 'OPERATION_IN_PROGRESS' })
  await setup.hub.sql.begin((tx) => connectLinks.spend(tx, next))
  await assert.rejects(connectLinks.find(link), { code: 'CONNECT_LINK_USED' })
})

test('a link that a newer one ends during its use does not connect', async (t) => {
  const { hub, up, relay, acme } = await startRelayed(t)
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const { wabaId } = await up.number()
  const caught = relay.catch('/subscribed_apps')
  const body = { code: await up.signUpCode(wabaId), waba_id: wabaId }

  const connecting = hub.anonymous.post(`/api/v1/connect/${link}`, body)
  const subscribing = await caught
  await createLink(acme, id)
  subscribing.proceed()
  const answer = await connecting

  assert.equal(answer.status, 410)
  assert.equal(answer.body.error.code, 'CONNECT_LINK_EXPIRED')
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).body.data.channel.status, 'pending')
})

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

test('of ten posts of one link at once, over two processes, exactly one connects', {
  rules: ['CRD-12', 'D6-64'],
}, async (t) => {
  const world = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const other = await startHub(t, { simulator: world.up.simulator })
  const acme = await world.hub.organization()

  for (let round = 0; round < 3; round++) {
    const { id } = await createChannel(acme)
    const link = await createLink(acme, id)
    const number = await world.up.number({ registered: false })
    const code = await world.up.signUpCode(number.wabaId)
    const body = { code, waba_id: number.wabaId, pin: PIN }
    const exchanges = (await world.requests('/oauth/access_token')).length
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? other : world.hub).anonymous.post(`/api/v1/connect/${link}`, body)),
    )

    const words = answers.map(({ status, body }) => (status === 200 ? 'connected' : `${status} ${body.error.code}`))
    assert.equal(words.filter((word) => word === 'connected').length, 1, words.join())
    const others = words.filter((word) => word !== 'connected')
    const allowed = ['409 OPERATION_IN_PROGRESS', '410 CONNECT_LINK_USED']
    assert.ok(
      others.every((word) => allowed.includes(word)),
      words.join(),
    )
    assert.equal((await world.requests('/oauth/access_token')).length, exchanges + 1)
    assert.equal((await world.requests(`/${number.phoneNumberId}/register`)).length, 1)
    assert.equal((await listEvents(world.hub.sql, id)).filter(({ kind }) => kind === 'channel.connected').length, 1)
    const actions = (await listAuditEntries(acme, id)).map(({ action }) => action)
    assert.equal(actions.filter((action) => action === 'channel.connected').length, 1)
  }
})

test('a link that is being used says so, and is shown as open', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)
  await world.hub.context.connectLinks.claim(link)

  const posted = await world.post(link, await world.up.number())
  const shown = await world.hub.anonymous.get(`/api/v1/connect/${link}`)

  assert.equal(posted.status, 409)
  assert.equal(posted.body.error.code, 'OPERATION_IN_PROGRESS')
  assert.equal(shown.body.data.status, 'open')
  assert.equal((await world.requests()).length, 0)
})

test('a try that died with its process gives the link back after three minutes', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)
  const number = await world.up.number()
  await world.hub.context.connectLinks.claim(link)

  await world.hub.clock.advance('170 seconds')
  const early = await world.post(link, number)
  await world.hub.clock.advance('11 seconds')
  const connected = await world.post(link, number)

  assert.deepEqual([early.status, connected.status], [409, 200])
})

test('a try that comes back after its time cannot spend the link under the one that follows it', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { connectLinks } = world.hub.context
  const link = await createLink(acme, (await createChannel(acme)).id)
  const late = await connectLinks.claim(link)
  await world.hub.clock.advance('181 seconds')
  const next = await connectLinks.claim(link)

  await connectLinks.release(late)
  const spent = world.hub.sql.begin((tx) => connectLinks.spend(tx, late))

  await assert.rejects(spent, { code: 'CONNECT_LINK_EXPIRED' })
  await assert.rejects(connectLinks.claim(link), { code: 'OPERATION_IN_PROGRESS' })
  await world.hub.sql.begin((tx) => connectLinks.spend(tx, next))
  await assert.rejects(connectLinks.find(link), { code: 'CONNECT_LINK_USED' })
})

test('a link that a newer one ended during a try does not connect', async (t) => {
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

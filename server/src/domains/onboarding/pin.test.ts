import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChannel,
  createLink,
  type HubWithUpstream,
  PIN,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'
import { listEncodings } from '../../../test/stored-secrets.ts'

const TOKEN = 'EAA-token-of-a-person-who-looks-up-a-pin'

/** A person who went through the sign-up and is asked for a PIN. */
async function askedForPin(world: HubWithUpstream) {
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await world.up.number({ registered: false })
  const code = await world.up.signUpCode(number.wabaId, TOKEN)
  const asked = await world.post(link, number, { code })
  return { acme, id, link, number, code, asked }
}

type Kept = { id: string; organization_id: string; exchanged_token: string | null; exchanged_code: Buffer | null }

async function keptFor(world: HubWithUpstream, channelId: string): Promise<Kept> {
  const [row] = await world.hub.sql<Kept[]>`
    select id, organization_id, exchanged_token, exchanged_code from connect_links where channel_id = ${channelId}`
  return row!
}

test('a number that is not registered asks for a PIN, and says that this is what is missing', {
  rules: ['D6-61', 'DELC-10'],
}, async (t) => {
  const world = await startHubWithUpstream(t)

  const { asked, link } = await askedForPin(world)

  assert.equal(asked.status, 400)
  assert.equal(asked.body.error.code, 'INVALID_REQUEST')
  const { step, pin_required, issues } = asked.body.error.details
  assert.deepEqual([step, pin_required], ['register', true])
  assert.deepEqual(issues, [{ path: '/pin', message: 'is required' }])
  assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${link}`)).body.data.status, 'open')
})

// The upstream exchanges a code once, and within thirty seconds: nobody looks up a PIN so fast.
test('the same code works again with the PIN, long after the upstream would have refused it', {
  rules: ['D6-72'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link, number, code } = await askedForPin(world)
  await world.up.simulator.control('POST', '/clock', { advance_seconds: 600 })
  await world.hub.clock.advance('10 minutes')

  const connected = await world.post(link, number, { code, pin: PIN })

  assert.equal(connected.status, 200)
  assert.equal(connected.body.data.channel.status, 'active')
  assert.equal((await world.requests('/oauth/access_token')).length, 1)
})

test('what the code was exchanged for is kept sealed, and the code as a hash', { rules: ['D6-71'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { id, code } = await askedForPin(world)

  const kept = await keptFor(world, id)

  const place = {
    ...{ table: 'connect_links', column: 'exchanged_token' },
    ...{ organizationId: kept.organization_id, rowId: kept.id },
  }
  assert.equal(world.hub.context.sealing.open(kept.exchanged_token ?? '', place), TOKEN)
  const row = JSON.stringify(kept) + kept.exchanged_code?.toString('hex')
  for (const secret of [TOKEN, code]) for (const form of listEncodings(secret)) assert.ok(!row.includes(form), form)
})

test('what the code was exchanged for is forgotten after fifteen minutes', { rules: ['D6-71'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { id, link, number, code } = await askedForPin(world)
  await world.hub.clock.advance('15 minutes')

  const late = await world.post(link, number, { code, pin: PIN })
  await world.hub.runJobs()

  assert.equal(late.status, 400)
  assert.deepEqual([late.body.error.code, late.body.error.details.step], ['UPSTREAM_REJECTED', 'exchange_code'])
  const { exchanged_token, exchanged_code } = await keptFor(world, id)
  assert.deepEqual([exchanged_token, exchanged_code], [null, null])
})

test('the job that forgets leaves what a person may still come back for', async (t) => {
  const world = await startHubWithUpstream(t)
  const { link, number, code } = await askedForPin(world)
  await world.hub.clock.advance('14 minutes')

  await world.hub.runJobs()
  const connected = await world.post(link, number, { code, pin: PIN })

  assert.equal(connected.status, 200)
})

test('another code is exchanged for its own token, and not for the remembered one', { rules: ['D6-72'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link, number } = await askedForPin(world)

  const refused = await world.post(link, number, { code: 'another', pin: PIN })
  const connected = await world.post(link, number, { pin: PIN })

  assert.equal(refused.body.error.details.step, 'exchange_code')
  assert.equal(connected.status, 200)
  assert.equal((await world.requests('/oauth/access_token')).length, 3)
})

test("a remembered code is worth nothing at another channel's link", { rules: ['D6-72'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { acme, number, code } = await askedForPin(world)
  const other = await createLink(acme, (await createChannel(acme)).id)

  const refused = await world.post(other, number, { code, pin: PIN })

  assert.deepEqual([refused.body.error.code, refused.body.error.details.step], ['UPSTREAM_REJECTED', 'exchange_code'])
})

test('a new link forgets what the older one remembered', async (t) => {
  const world = await startHubWithUpstream(t)
  const { acme, id } = await askedForPin(world)

  await createLink(acme, id)

  const tokens = await world.hub.sql`
    select id from connect_links where channel_id = ${id} and exchanged_token is not null`
  assert.equal(tokens.length, 0)
})

// The exchange may still be under way when the channel goes: its token must not be kept afterwards.
test('a token that arrives after its channel was deleted is not kept', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await world.up.number({ registered: false })
  const { claim, ...rest } = await world.hub.context.connectLinks.claim(link)

  await acme.delete(`/api/v1/channels/${id}`)
  await world.hub.context.connectLinks.rememberToken({ ...rest, claim }, 'a code', number.accessToken)

  assert.equal((await keptFor(world, id)).exchanged_token, null)
})

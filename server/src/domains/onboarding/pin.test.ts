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

/** Completes the sign-up of an unregistered number without a PIN. */
async function signUpWithoutPin(setup: HubWithUpstream) {
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await setup.up.number({ registered: false })
  const code = await setup.up.signUpCode(number.wabaId, TOKEN)
  const asked = await setup.post(link, number, { code })
  return { acme, id, link, number, code, asked }
}

type Exchange = { id: string; organization_id: string; exchanged_token: string | null; exchanged_code: Buffer | null }

async function findExchange(setup: HubWithUpstream, channelId: string): Promise<Exchange> {
  const [row] = await setup.hub.sql<Exchange[]>`
    select id, organization_id, exchanged_token, exchanged_code from connect_links where channel_id = ${channelId}`
  return row!
}

test('an unregistered number without a PIN is refused with pin_required', {
  rules: ['connect.number-is-registered-with-pin', 'deletion.deregistered-number-needs-its-pin'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)

  const { asked, link } = await signUpWithoutPin(setup)

  assert.equal(asked.status, 400)
  assert.equal(asked.body.error.code, 'INVALID_REQUEST')
  const { step, pin_required, issues } = asked.body.error.details
  assert.deepEqual([step, pin_required], ['register', true])
  assert.deepEqual(issues, [{ path: '/pin', message: 'is required', reason: 'required', parameters: {} }])
  assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${link}`)).body.data.status, 'open')
})

// The upstream exchanges a code once, within thirty seconds: too short a time to look up a PIN.
test('the same code works again with the PIN after the upstream would refuse it', {
  rules: ['connect.code-resumes-for-15-minutes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link, number, code } = await signUpWithoutPin(setup)
  await setup.up.simulator.control('POST', '/clock', { advance_seconds: 600 })
  await setup.hub.clock.advance('10 minutes')

  const connected = await setup.post(link, number, { code, pin: PIN })

  assert.equal(connected.status, 200)
  assert.equal(connected.body.data.channel.status, 'active')
  assert.equal((await setup.requests('/oauth/access_token')).length, 1)
})

test('the exchanged token is stored encrypted, and the code as a hash', {
  rules: ['connect.code-resumes-for-15-minutes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { id, code } = await signUpWithoutPin(setup)

  const kept = await findExchange(setup, id)

  const place = {
    table: 'connect_links',
    column: 'exchanged_token',
    organizationId: kept.organization_id,
    rowId: kept.id,
  }
  assert.equal(setup.hub.context.sealing.open(kept.exchanged_token ?? '', place), TOKEN)
  const row = JSON.stringify(kept) + kept.exchanged_code?.toString('hex')
  for (const secret of [TOKEN, code]) for (const form of listEncodings(secret)) assert.ok(!row.includes(form), form)
})

test('the exchanged token is erased after fifteen minutes', {
  rules: ['connect.code-resumes-for-15-minutes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { id, link, number, code } = await signUpWithoutPin(setup)
  await setup.hub.clock.advance('15 minutes')

  const late = await setup.post(link, number, { code, pin: PIN })
  await setup.hub.runJobs()

  assert.equal(late.status, 400)
  assert.deepEqual([late.body.error.code, late.body.error.details.step], ['UPSTREAM_REJECTED', 'exchange_code'])
  const { exchanged_token, exchanged_code } = await findExchange(setup, id)
  assert.deepEqual([exchanged_token, exchanged_code], [null, null])
})

test('the job that erases exchanged tokens keeps those that have not expired', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link, number, code } = await signUpWithoutPin(setup)
  await setup.hub.clock.advance('14 minutes')

  await setup.hub.runJobs()
  const connected = await setup.post(link, number, { code, pin: PIN })

  assert.equal(connected.status, 200)
})

test('another code is exchanged for its own token, not for the stored one', {
  rules: ['connect.code-resumes-for-15-minutes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link, number } = await signUpWithoutPin(setup)

  const refused = await setup.post(link, number, { code: 'another', pin: PIN })
  const connected = await setup.post(link, number, { pin: PIN })

  assert.equal(refused.body.error.details.step, 'exchange_code')
  assert.equal(connected.status, 200)
  assert.equal((await setup.requests('/oauth/access_token')).length, 3)
})

test("an exchanged code does not work with another channel's link", {
  rules: ['connect.code-resumes-for-15-minutes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { acme, number, code } = await signUpWithoutPin(setup)
  const other = await createLink(acme, (await createChannel(acme)).id)

  const refused = await setup.post(other, number, { code, pin: PIN })

  assert.deepEqual([refused.body.error.code, refused.body.error.details.step], ['UPSTREAM_REJECTED', 'exchange_code'])
})

test('a new link erases the exchanged token of the older one', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { acme, id } = await signUpWithoutPin(setup)

  await createLink(acme, id)

  const tokens = await setup.hub.sql`
    select id from connect_links where channel_id = ${id} and exchanged_token is not null`
  assert.equal(tokens.length, 0)
})

// The exchange may still be in progress when the channel is deleted.
test('a token that arrives after its channel was deleted is not stored', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await setup.up.number({ registered: false })
  const { claim, ...rest } = await setup.hub.context.connectLinks.claim(link)

  await acme.delete(`/api/v1/channels/${id}`)
  await setup.hub.context.connectLinks.storeExchangedToken({ ...rest, claim }, 'a code', number.accessToken)

  assert.equal((await findExchange(setup, id)).exchanged_token, null)
})

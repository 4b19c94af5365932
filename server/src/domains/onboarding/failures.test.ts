import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import {
  createChannel,
  createLink,
  type HubWithUpstream,
  listEvents,
  PIN,
  readChannelRow,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'
import { startRelayed } from '../../../test/relay.ts'

async function openLink(setup: HubWithUpstream) {
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  return { acme, id, link: await createLink(acme, id) }
}

/** Asserts that a failed attempt changed nothing: the channel is pending, and the same link connects it. */
async function assertStillOpen(setup: HubWithUpstream, { id, link }: { id: string; link: string }): Promise<void> {
  assert.deepEqual(
    { ...(await readChannelRow(setup.hub.sql, id)) },
    { access_token: null, status: 'pending', phone_number_id: null },
  )
  assert.deepEqual(
    (await listEvents(setup.hub.sql, id)).map(({ kind }) => kind),
    ['channel.created'],
  )
  const shown = await setup.hub.anonymous.get(`/api/v1/connect/${link}`)
  assert.equal(shown.body.data.status, 'open')
  const connected = await setup.post(link, await setup.up.number())
  assert.equal(connected.status, 200, connected.text)
}

function assertStep({ status, body }: Answer, step: string, code: string): void {
  assert.equal(status, 400)
  assert.deepEqual([body.error.code, body.error.details.step], [code, step])
}

test('an unknown code is refused at the step exchange_code', {
  rules: ['connect.only-success-uses-the-link', 'connect.failed-step-names-itself'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)

  const refused = await setup.post(open.link, await setup.up.number(), { code: 'nonsense' })

  assertStep(refused, 'exchange_code', 'UPSTREAM_REJECTED')
  await assertStillOpen(setup, open)
})

// Each attempt is a call with the secret of the app, whose rate at the upstream all organizations share.
test('a link takes ten connection attempts in 15 minutes; further ones are 429 without a call of the upstream', {
  rules: ['connect.link-takes-ten-attempts'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const [open, other] = [await openLink(setup), await openLink(setup)]
  const number = await setup.up.number()
  for (let i = 0; i < 10; i++) {
    assertStep(await setup.post(open.link, number, { code: `bad-${i}` }), 'exchange_code', 'UPSTREAM_REJECTED')
  }

  const refused = await setup.post(open.link, number, { code: 'bad' })
  const elsewhere = await setup.post(other.link, number, { code: 'bad' })
  const calls = await setup.requests('/oauth/access_token')
  await setup.hub.clock.advance('15 minutes')

  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(elsewhere.status, 400)
  assert.equal(calls.length, 11)
  await assertStillOpen(setup, open)
})

test('a code older than thirty seconds is refused at the step exchange_code', async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const number = await setup.up.number()
  const code = await setup.up.signUpCode(number.wabaId)
  await setup.up.simulator.control('POST', '/clock', { advance_seconds: 31 })

  const refused = await setup.post(open.link, number, { code })

  assertStep(refused, 'exchange_code', 'UPSTREAM_REJECTED')
  assert.match(refused.body.error.message, /30 seconds.*has expired/)
  await assertStillOpen(setup, open)
})

test('a code that another link has used is refused at the step exchange_code', async (t) => {
  const setup = await startHubWithUpstream(t)
  const [open, other] = [await openLink(setup), await openLink(setup)]
  const number = await setup.up.number()
  const code = await setup.up.signUpCode(number.wabaId)
  assert.equal((await setup.post(other.link, number, { code })).status, 200)

  const refused = await setup.post(open.link, number, { code })

  assertStep(refused, 'exchange_code', 'UPSTREAM_REJECTED')
  await assertStillOpen(setup, open)
})

test('the failure names the variables to look at if the upstream refuses the app of the hub', async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const number = await setup.up.number()
  await setup.fault('error', '/debug_token', { code: 190 })

  const refused = await setup.post(open.link, number)

  assertStep(refused, 'check_token', 'UPSTREAM_REJECTED')
  assert.match(refused.body.error.message, /UPSTREAM_APP_ID and UPSTREAM_APP_SECRET/)
  await assertStillOpen(setup, open)
})

test('an account that the sign-up did not grant is refused before any call to it', {
  rules: ['connect.foreign-token-is-refused', 'connect.failed-step-names-itself'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const [granted, wanted] = [await setup.up.number(), await setup.up.number()]
  const code = await setup.up.signUpCode(granted.wabaId)

  const refused = await setup.post(open.link, wanted, { code })

  assertStep(refused, 'check_token', 'UPSTREAM_REJECTED')
  assert.equal((await setup.requests(wanted.wabaId)).length, 0)
  await assertStillOpen(setup, open)
})

test('a token of another app is refused at the step check_token', {
  rules: ['connect.foreign-token-is-refused'],
}, async (t) => {
  const { hub, up, relay, acme } = await startRelayed(t)
  const link = await createLink(acme, (await createChannel(acme)).id)
  const { wabaId } = await up.number()
  const caught = relay.catch('/debug_token')
  const body = { code: await up.signUpCode(wabaId), waba_id: wabaId }
  const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
  const granular_scopes = scopes.map((scope) => ({ scope, target_ids: [wabaId] }))

  const connecting = hub.anonymous.post(`/api/v1/connect/${link}`, body)
  const token = { app_id: '7', type: 'SYSTEM_USER', is_valid: true, scopes, granular_scopes }
  ;(await caught).answer(200, JSON.stringify({ data: token }))
  const refused = await connecting

  assertStep(refused, 'check_token', 'UPSTREAM_REJECTED')
  assert.equal((await hub.anonymous.get(`/api/v1/connect/${link}`)).body.data.status, 'open')
})

for (const scopes of [['whatsapp_business_management'], ['whatsapp_business_messaging']]) {
  test(`a sign-up that granted only ${scopes} is refused at the step check_token`, async (t) => {
    const setup = await startHubWithUpstream(t)
    const open = await openLink(setup)
    const number = await setup.up.number()
    const made = await setup.up.simulator.control<{ code: string }>('POST', '/codes', {
      waba_id: number.wabaId,
      scopes,
    })

    const refused = await setup.post(open.link, number, { code: made.code })

    assertStep(refused, 'check_token', 'UPSTREAM_REJECTED')
    assert.equal((await setup.requests('/subscribed_apps')).length, 0)
    await assertStillOpen(setup, open)
  })
}

test('an account without a number is refused at the step find_number', {
  rules: ['connect.failed-step-names-itself'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const { waba_id: wabaId } = await setup.up.simulator.control<{ waba_id: string }>('POST', '/accounts', {})

  const refused = await setup.post(open.link, { wabaId })

  assertStep(refused, 'find_number', 'INVALID_REQUEST')
  assert.deepEqual(refused.body.error.details.choices, [])
  await assertStillOpen(setup, open)
})

test('an account with several numbers gets a list of choices, and the same code works with the chosen one', {
  rules: ['connect.several-numbers-need-a-choice'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const first = await setup.up.number()
  const second = await setup.up.simulator.control<Record<string, string>>('POST', `/accounts/${first.wabaId}/numbers`, {
    registered: true,
    verified_name: 'Filial',
  })
  const code = await setup.up.signUpCode(first.wabaId)

  const asked = await setup.post(open.link, first, { code })
  const chosen = await setup.post(open.link, first, { code, phone_number_id: first.phoneNumberId })

  assertStep(asked, 'find_number', 'INVALID_REQUEST')
  const choices = asked.body.error.details.choices as Record<string, string>[]
  const byId = Object.fromEntries(choices.map((choice) => [choice.phone_number_id, choice]))
  assert.equal(choices.length, 2)
  assert.deepEqual(byId[second.phone_number_id ?? ''], {
    phone_number_id: second.phone_number_id,
    display_phone_number: second.display_phone_number,
    verified_name: 'Filial',
  })
  assert.equal(chosen.status, 200)
  assert.equal((await setup.requests('/oauth/access_token')).length, 1)
})

test('a number that the account does not have is refused at the step find_number', async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const [number, other] = [await setup.up.number(), await setup.up.number()]

  const refused = await setup.post(open.link, number, { phone_number_id: other.phoneNumberId })

  assertStep(refused, 'find_number', 'INVALID_REQUEST')
  assert.equal((await setup.requests('/subscribed_apps')).length, 0)
  await assertStillOpen(setup, open)
})

test('a refused subscription is reported with its step, and nothing is registered', {
  rules: ['connect.failed-step-names-itself'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const number = await setup.up.number({ registered: false })
  await setup.fault('error', '/subscribed_apps', { code: 200 })

  const refused = await setup.post(open.link, number, { pin: PIN })

  assertStep(refused, 'subscribe', 'UPSTREAM_REJECTED')
  assert.equal(refused.body.error.details.code, 200)
  assert.equal((await setup.requests('/register')).length, 0)
  await assertStillOpen(setup, open)
})

test('a wrong PIN is refused at the step register, and the right one works with the same code', {
  rules: ['connect.failed-step-names-itself'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const number = await setup.up.number({ registered: false, pin: '654321' })
  const code = await setup.up.signUpCode(number.wabaId)

  const refused = await setup.post(link, number, { code, pin: PIN })
  const connected = await setup.post(link, number, { code, pin: '654321' })

  assertStep(refused, 'register', 'UPSTREAM_REJECTED')
  assert.equal(refused.body.error.details.code, 133005)
  assert.equal(connected.status, 200)
})

test('a refused sync is reported with the step synchronize', {
  rules: ['connect.failed-step-names-itself'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  const number = await setup.up.number({ coexistence: true })
  await setup.fault('error', '/smb_app_data', { code: 131005 })

  const refused = await setup.post(open.link, number)

  assertStep(refused, 'synchronize', 'UPSTREAM_REJECTED')
  await assertStillOpen(setup, open)
})

test('a throttled step is 429 with Retry-After and the step', async (t) => {
  const setup = await startHubWithUpstream(t)
  const open = await openLink(setup)
  await setup.fault('throttle', '/phone_numbers', { code: 80007 })

  const limited = await setup.post(open.link, await setup.up.number())

  assert.equal(limited.status, 429)
  assert.deepEqual([limited.body.error.code, limited.body.error.details.step], ['RATE_LIMITED', 'find_number'])
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
  await assertStillOpen(setup, open)
})

const STEPS: [string, string, boolean][] = [
  ['exchange_code', '/oauth/access_token', false],
  ['check_token', '/debug_token', false],
  ['find_number', '/phone_numbers', false],
  ['subscribe', '/subscribed_apps', false],
  ['register', '/register', false],
  ['synchronize', '/smb_app_data', true],
]

const OUTAGES: [string, string, Record<string, number | null>][] = [
  ['a 503', 'http', { status: 503 }],
  ['a connection reset', 'reset_before', {}],
  ['a timeout', 'hang_before', {}],
]

for (const [step, path, coexistence] of STEPS) {
  for (const [what, kind, more] of OUTAGES) {
    test(`${what} at ${step} is 502 with its step, and leaves channel and link unchanged`, async (t) => {
      const setup = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '2000' } })
      const open = await openLink(setup)
      const number = await setup.up.number(coexistence ? { coexistence } : { registered: false })
      await setup.fault(kind, path, { times: null, ...more })

      const failed = await setup.post(open.link, number, { pin: PIN })

      assert.equal(failed.status, 502)
      const { code, details } = failed.body.error
      assert.deepEqual([code, details.step], ['UPSTREAM_UNAVAILABLE', step])
      await setup.liftFaults()
      await assertStillOpen(setup, open)
    })
  }
}

test('the error of an unavailable upstream names the step and says that nothing was changed', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  await setup.fault('http', '/subscribed_apps', { status: 503, times: null })

  const failed = await setup.post(link, await setup.up.number())

  const expected = 'The upstream did not respond at the step subscribe. Nothing was changed here: try again.'
  assert.equal(failed.body.error.message, expected)
})

test('a number whose final read fails is connected with the data from the list', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const number = await setup.up.number()
  await setup.fault('http', `/${number.phoneNumberId}`, { times: null, method: 'GET' })

  const connected = await setup.post(link, number)

  assert.equal(connected.status, 200)
  assert.equal(connected.body.data.channel.display_phone_number, number.display)
})

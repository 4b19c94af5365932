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

async function openLink(world: HubWithUpstream) {
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  return { acme, id, link: await createLink(acme, id) }
}

/** A failed try has changed nothing: the channel waits as before, and the same link connects it. */
async function assertStillOpen(world: HubWithUpstream, { id, link }: { id: string; link: string }): Promise<void> {
  assert.deepEqual(
    { ...(await readChannelRow(world.hub.sql, id)) },
    { access_token: null, status: 'pending', phone_number_id: null },
  )
  assert.deepEqual(
    (await listEvents(world.hub.sql, id)).map(({ kind }) => kind),
    ['channel.created'],
  )
  const shown = await world.hub.anonymous.get(`/api/v1/connect/${link}`)
  assert.equal(shown.body.data.status, 'open')
  const connected = await world.post(link, await world.up.number())
  assert.equal(connected.status, 200, connected.text)
}

function assertStep({ status, body }: Answer, step: string, code: string): void {
  assert.equal(status, 400)
  assert.deepEqual([body.error.code, body.error.details.step], [code, step])
}

test('a code that is none is refused by its step', { rules: ['D6-63', 'D6-66'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)

  const refused = await world.post(open.link, await world.up.number(), { code: 'nonsense' })

  assertStep(refused, 'exchange_code', 'UPSTREAM_REJECTED')
  await assertStillOpen(world, open)
})

test('a code older than thirty seconds is refused by its step', async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const number = await world.up.number()
  const code = await world.up.signUpCode(number.wabaId)
  await world.up.simulator.control('POST', '/clock', { advance_seconds: 31 })

  const refused = await world.post(open.link, number, { code })

  assertStep(refused, 'exchange_code', 'UPSTREAM_REJECTED')
  assert.match(refused.body.error.message, /30 seconds.*has expired/)
  await assertStillOpen(world, open)
})

test('a code that another link has used is refused by its step', async (t) => {
  const world = await startHubWithUpstream(t)
  const [open, other] = [await openLink(world), await openLink(world)]
  const number = await world.up.number()
  const code = await world.up.signUpCode(number.wabaId)
  assert.equal((await world.post(other.link, number, { code })).status, 200)

  const refused = await world.post(open.link, number, { code })

  assertStep(refused, 'exchange_code', 'UPSTREAM_REJECTED')
  await assertStillOpen(world, open)
})

test('an account that the sign-up did not grant is refused before it is touched', {
  rules: ['D6-54', 'D6-66'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const [granted, wanted] = [await world.up.number(), await world.up.number()]
  const code = await world.up.signUpCode(granted.wabaId)

  const refused = await world.post(open.link, wanted, { code })

  assertStep(refused, 'check_token', 'UPSTREAM_REJECTED')
  assert.equal((await world.requests(wanted.wabaId)).length, 0)
  await assertStillOpen(world, open)
})

test('a token of another app is refused by its step', { rules: ['D6-54'] }, async (t) => {
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
  test(`a sign-up that granted only ${scopes} is refused by its step`, async (t) => {
    const world = await startHubWithUpstream(t)
    const open = await openLink(world)
    const number = await world.up.number()
    const made = await world.up.simulator.control<{ code: string }>('POST', '/codes', {
      waba_id: number.wabaId,
      scopes,
    })

    const refused = await world.post(open.link, number, { code: made.code })

    assertStep(refused, 'check_token', 'UPSTREAM_REJECTED')
    assert.equal((await world.requests('/subscribed_apps')).length, 0)
    await assertStillOpen(world, open)
  })
}

test('an account without a number is refused by its step', { rules: ['D6-66'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const { waba_id: wabaId } = await world.up.simulator.control<{ waba_id: string }>('POST', '/accounts', {})

  const refused = await world.post(open.link, { wabaId })

  assertStep(refused, 'find_number', 'INVALID_REQUEST')
  assert.deepEqual(refused.body.error.details.choices, [])
  await assertStillOpen(world, open)
})

test('of several numbers none is chosen for the person: they get the choice, and go on with the same code', {
  rules: ['D6-55'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const first = await world.up.number()
  const second = await world.up.simulator.control<Record<string, string>>('POST', `/accounts/${first.wabaId}/numbers`, {
    registered: true,
    verified_name: 'Filial',
  })
  const code = await world.up.signUpCode(first.wabaId)

  const asked = await world.post(open.link, first, { code })
  const chosen = await world.post(open.link, first, { code, phone_number_id: first.phoneNumberId })

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
  assert.equal((await world.requests('/oauth/access_token')).length, 1)
})

test('a number that the account does not have is refused by its step', async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const [number, other] = [await world.up.number(), await world.up.number()]

  const refused = await world.post(open.link, number, { phone_number_id: other.phoneNumberId })

  assertStep(refused, 'find_number', 'INVALID_REQUEST')
  assert.equal((await world.requests('/subscribed_apps')).length, 0)
  await assertStillOpen(world, open)
})

test('a refused subscription is refused by its step, and nothing is registered', { rules: ['D6-66'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const number = await world.up.number({ registered: false })
  await world.fault('error', '/subscribed_apps', { code: 200 })

  const refused = await world.post(open.link, number, { pin: PIN })

  assertStep(refused, 'subscribe', 'UPSTREAM_REJECTED')
  assert.equal(refused.body.error.details.code, 200)
  assert.equal((await world.requests('/register')).length, 0)
  await assertStillOpen(world, open)
})

test('a wrong PIN is refused by its step, and the right one goes on with the same code', {
  rules: ['D6-66'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const number = await world.up.number({ registered: false, pin: '654321' })
  const code = await world.up.signUpCode(number.wabaId)

  const refused = await world.post(link, number, { code, pin: PIN })
  const connected = await world.post(link, number, { code, pin: '654321' })

  assertStep(refused, 'register', 'UPSTREAM_REJECTED')
  assert.equal(refused.body.error.details.code, 133005)
  assert.equal(connected.status, 200)
})

test('a refused sync is refused by its step', { rules: ['D6-66'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  const number = await world.up.number({ coexistence: true })
  await world.fault('error', '/smb_app_data', { code: 131005 })

  const refused = await world.post(open.link, number)

  assertStep(refused, 'synchronize', 'UPSTREAM_REJECTED')
  await assertStillOpen(world, open)
})

test('a throttled step answers 429 with the time to wait, and names itself', async (t) => {
  const world = await startHubWithUpstream(t)
  const open = await openLink(world)
  await world.fault('throttle', '/phone_numbers', { code: 80007 })

  const limited = await world.post(open.link, await world.up.number())

  assert.equal(limited.status, 429)
  assert.deepEqual([limited.body.error.code, limited.body.error.details.step], ['RATE_LIMITED', 'find_number'])
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
  await assertStillOpen(world, open)
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
  ['an error page', 'http', { status: 503 }],
  ['a broken connection', 'reset_before', {}],
  ['no answer in time', 'hang_before', {}],
]

for (const [step, path, coexistence] of STEPS) {
  for (const [what, kind, more] of OUTAGES) {
    test(`${what} at ${step} answers 502 by its step, and leaves channel and link as they were`, async (t) => {
      const world = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '1000' } })
      const open = await openLink(world)
      const number = await world.up.number(coexistence ? { coexistence } : { registered: false })
      await world.fault(kind, path, { times: null, ...more })

      const failed = await world.post(open.link, number, { pin: PIN })

      assert.equal(failed.status, 502)
      const { code, details } = failed.body.error
      assert.deepEqual([code, details.step], ['UPSTREAM_UNAVAILABLE', step])
      await world.liftFaults()
      await assertStillOpen(world, open)
    })
  }
}

test('of an upstream that is silent the person hears at which step, that nothing was changed, and to try again', async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  await world.fault('http', '/subscribed_apps', { status: 503, times: null })

  const failed = await world.post(link, await world.up.number())

  const silence = 'The upstream gave no usable answer at the step subscribe. Nothing was changed here: try again.'
  assert.equal(failed.body.error.message, silence)
})

// The page has a sentence for each step; "check the PIN" would be a lie about an upstream that is down.
test('the page has words of its own, in each language, for an upstream that is silent or wants less', async (t) => {
  const world = await startHubWithUpstream(t)

  const { text } = await world.hub.anonymous.get('/connect/assets/translations.js')
  const { TRANSLATIONS } = await import(`data:text/javascript,${encodeURIComponent(text)}`)

  assert.deepEqual(Object.keys(TRANSLATIONS), ['en', 'pt-BR'])
  assert.deepEqual(Object.keys(TRANSLATIONS.en), Object.keys(TRANSLATIONS['pt-BR']))
  for (const code of ['UPSTREAM_UNAVAILABLE', 'RATE_LIMITED']) {
    assert.match(TRANSLATIONS.en[code], /try again/)
    assert.match(TRANSLATIONS['pt-BR'][code], /tente de novo/)
  }
})

test('a number that cannot be read again in the end is connected with what the list said of it', async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const number = await world.up.number()
  await world.fault('http', `/${number.phoneNumberId}`, { times: null, method: 'GET' })

  const connected = await world.post(link, number)

  assert.equal(connected.status, 200)
  assert.equal(connected.body.data.channel.display_phone_number, number.display)
})

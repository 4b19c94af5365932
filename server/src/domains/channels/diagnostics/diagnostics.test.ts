import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { en as TEXTS } from '@hubline/locales/checks/en.ts'
import type { Client } from '../../../../test/client.ts'
import { waitForHeldRequests } from '../../../../test/held-requests.ts'
import { createChannel, listEvents, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { connectWithToken } from '../../../../test/relay.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import type { Check } from '../schemas.ts'

const lookup = async () => [{ address: '93.184.216.34', family: 4 as const }]

async function startChannel(t: TestContext, env: Record<string, string> = {}) {
  const setup = await startHubWithUpstream(t, { env, lookup })
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  const path = `/api/v1/channels/${channel.id}/diagnostics`
  const { wabaId, phoneNumberId } = channel.number
  const change = (members: object) => setup.up.simulator.control('PATCH', `/numbers/${phoneNumberId}`, { ...members })
  const revoke = () => setup.up.simulator.control('POST', '/tokens/revoke', { waba_id: wabaId })
  return { ...setup, acme, channel, path, wabaId, phoneNumberId, change, revoke }
}

/** Runs the diagnostics, asserts what holds for every result, and returns the checks by id. */
async function diagnose(reader: Client, path: string) {
  const answer = await reader.get(path)
  assert.equal(answer.status, 200, answer.text)
  const { overall, checks, checked_at } = answer.body.data.diagnostics as {
    overall: string
    checks: Check[]
    checked_at: string
  }
  assert.deepEqual(
    checks.map(({ id }) => id),
    ['token', 'number', 'subscription', 'webhook_signature', 'endpoints'],
  )
  for (const { status, message, remedy, reason, parameters } of checks) {
    assert.equal(message, fillText(TEXTS.found[reason as keyof typeof TEXTS.found], parameters))
    assert.equal(typeof remedy, status === 'failing' || status === 'warning' ? 'string' : 'object')
  }
  const statuses = Object.fromEntries(checks.map(({ id, status }) => [id, status]))
  return { overall, checked_at, statuses, text: answer.text, of: (id: string) => checks.find((c) => c.id === id) }
}

test('the token check names the variables to look at if the upstream refuses the app of the hub', async (t) => {
  const { acme, path, fault } = await startChannel(t)
  await fault('error', '/debug_token', { code: 190, times: null })

  const token = (await diagnose(acme, path)).of('token')

  assert.equal(token?.status, 'failing')
  assert.match(token?.remedy ?? '', /UPSTREAM_APP_ID and UPSTREAM_APP_SECRET/)
})

test('a working channel without an endpoint has only a warning about endpoints', {
  rules: ['diagnostics.have-five-checks', 'diagnostics.have-reasons'],
}, async (t) => {
  const { hub, acme, path } = await startChannel(t)

  const { overall, statuses, checked_at } = await diagnose(acme, path)

  assert.equal(overall, 'warning')
  assert.deepEqual(statuses, {
    token: 'ok',
    number: 'ok',
    subscription: 'ok',
    webhook_signature: 'skipped',
    endpoints: 'warning',
  })
  assert.ok(Math.abs(Date.parse(checked_at) - hub.clock.now().getTime()) < 60_000)
})

test('an active endpoint of the channel is ok, and a paused one or one of another channel is a warning', {
  rules: ['diagnostics.overall-is-the-worst', 'diagnostics.have-five-checks'],
}, async (t) => {
  const { hub, acme, channel, path } = await startChannel(t)
  const other = await createChannel(acme, { webhook_url: 'https://hooks.example/other' })
  const elsewhere = await diagnose(acme, path)
  await acme.delete(`/api/v1/channels/${other.id}`)
  const { sql } = hub
  await sql`
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
    select organization_id, id, ${channel.id} from webhook_endpoints where organization_id = ${acme.organizationId}`

  const active = await diagnose(acme, path)
  await sql`update webhook_endpoints set status = 'paused' where organization_id = ${acme.organizationId}`
  const paused = await diagnose(acme, path)
  await sql`
    update webhook_endpoints set status = 'active', all_channels = true where organization_id = ${acme.organizationId}`
  await sql`delete from webhook_endpoint_channels where organization_id = ${acme.organizationId}`
  const ofAll = await diagnose(acme, path)

  assert.deepEqual([elsewhere.statuses.endpoints, elsewhere.overall], ['warning', 'warning'])
  assert.deepEqual([active.statuses.endpoints, active.overall], ['ok', 'ok'])
  assert.deepEqual([paused.statuses.endpoints, paused.overall], ['warning', 'warning'])
  assert.deepEqual([ofAll.statuses.endpoints, ofAll.overall], ['ok', 'ok'])
})

test('diagnostics name the paused endpoints of the channel, and count its listeners apart', {
  rules: ['cli.diagnostics-name-paused-endpoints'],
}, async (t) => {
  const { hub, acme, path } = await startChannel(t)
  const globex = await hub.organization()
  const create = async (client: typeof acme, name: string) => {
    const { body } = await client.post('/api/v1/webhooks', { name, url: 'https://hooks.example/path' })
    await client.patch(`/api/v1/webhooks/${body.data.webhook.id}`, { status: 'paused' })
  }
  await create(acme, 'CRM')
  await create(acme, 'https://hooks.example/path-secret?token=x')
  await create(globex, 'theirs')

  const alone = (await diagnose(acme, path)).of('endpoints')
  await acme.post('/api/v1/listeners', {})
  const listening = (await diagnose(acme, path)).of('endpoints')

  const names = 'Paused webhook endpoints of this channel: CRM, https://hooks.example.'
  assert.deepEqual([alone?.status, alone?.message], ['warning', `${names} Active: 0. Listeners: 0.`])
  assert.deepEqual([listening?.status, listening?.message], ['ok', `${names} Active: 0. Listeners: 1.`])
})

test('a listener of the channel receives it as an endpoint does, until the listener is over', {
  rules: ['diagnostics.have-five-checks'],
}, async (t) => {
  const { acme, channel, path } = await startChannel(t)
  const other = await createChannel(acme, { name: 'other' })
  const listen = async (body: object) => (await acme.post('/api/v1/listeners', body)).body.data
  await listen({ all_channels: false, channel_ids: [other.id] })
  const elsewhere = await diagnose(acme, path)
  const { listener, secret } = await listen({ all_channels: false, channel_ids: [channel.id] })

  const listening = await diagnose(acme, path)
  await acme.delete(`/api/v1/listeners/${listener.id}`, { headers: { 'x-hub-listener-secret': secret } })
  const over = await diagnose(acme, path)

  assert.equal(elsewhere.statuses.endpoints, 'warning')
  assert.deepEqual([listening.statuses.endpoints, listening.overall], ['ok', 'ok'])
  assert.equal(over.statuses.endpoints, 'warning')
})

test('a channel that was never connected fails with its link as remedy, without an upstream call', {
  rules: ['diagnostics.overall-is-the-worst'],
}, async (t) => {
  const { acme, requests } = await startChannel(t)
  const pending = await createChannel(acme)
  const before = (await requests()).length

  const { overall, statuses, of } = await diagnose(acme, `/api/v1/channels/${pending.id}/diagnostics`)

  assert.equal(overall, 'failing')
  assert.deepEqual([statuses.token, statuses.number, statuses.subscription], ['failing', 'skipped', 'skipped'])
  assert.match(of('token')?.remedy ?? '', /link/)
  assert.equal((await requests()).length, before)
})

test('a revoked token fails with a remedy', {
  rules: ['diagnostics.have-five-checks', 'diagnostics.overall-is-the-worst'],
}, async (t) => {
  const { acme, path, revoke } = await startChannel(t)
  await revoke()

  const { overall, statuses, of } = await diagnose(acme, path)

  assert.equal(overall, 'failing')
  assert.deepEqual([statuses.token, statuses.number, statuses.subscription], ['failing', 'failing', 'failing'])
  assert.match(of('token')?.message ?? '', /credential/)
  assert.match(of('token')?.remedy ?? '', /new connect link/)
})

test('diagnostics that find the credential refused disconnect the channel, with one event', {
  rules: ['channel.dead-credential-disconnects'],
}, async (t) => {
  const { hub, acme, channel, path, revoke } = await startChannel(t)
  const readStatus = async () => (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status
  await diagnose(acme, path)
  const before = await readStatus()
  await revoke()

  await Promise.all([diagnose(acme, path), diagnose(acme, path)])

  assert.deepEqual([before, await readStatus()], ['active', 'disconnected'])
  const moves = (await listEvents(hub.sql, channel.id)).slice(2)
  assert.deepEqual(
    moves.map(({ kind, data }) => [kind, data.reason]),
    [['channel.disconnected', 'credential_refused']],
  )
})

for (const [what, kind, more] of [
  ['do not get an answer', 'http', { status: 503 }],
  ['are throttled', 'throttle', {}],
  ['lack a permission', 'error', { code: 200 }],
] as const) {
  test(`diagnostics that ${what} leave the status of the channel`, {
    rules: ['channel.disconnected-has-no-access'],
  }, async (t) => {
    const { acme, channel, path, fault } = await startChannel(t)
    await fault(kind, '/', { times: null, ...more })

    await diagnose(acme, path)

    assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'active')
  })
}

test('a credential that no key decrypts fails without an upstream call', async (t) => {
  const { hub, acme, channel, path, requests } = await startChannel(t)
  await hub.sql`update channels set access_token = 'lost.AAAA' where id = ${channel.id}`
  const before = (await requests()).length

  const { overall, statuses, of } = await diagnose(acme, path)

  assert.equal(overall, 'failing')
  assert.deepEqual([statuses.token, statuses.number, statuses.subscription], ['failing', 'skipped', 'skipped'])
  assert.match(of('token')?.message ?? '', /cannot be decrypted/)
  assert.match(of('token')?.remedy ?? '', /sealing key/)
  assert.equal((await requests()).length, before)
})

for (const [number, status] of [
  ['FLAGGED', 'warning'],
  ['RESTRICTED', 'warning'],
  ['PENDING', 'warning'],
  ['BANNED', 'failing'],
  ['DISCONNECTED', 'failing'],
] as const) {
  test(`a number that is ${number} is ${status}, and the message names its status`, {
    rules: ['diagnostics.have-five-checks'],
  }, async (t) => {
    const { acme, path, change } = await startChannel(t)
    await change({ status: number })

    const { overall, of } = await diagnose(acme, path)

    assert.equal(overall, status)
    assert.equal(of('number')?.status, status)
    assert.match(of('number')?.message ?? '', new RegExp(number))
  })
}

test('a number and an account that a valid token can no longer read fail', async (t) => {
  const { acme, path, up, wabaId } = await startChannel(t)
  await up.simulator.control('POST', `/accounts/${wabaId}/events`, { event: 'remove' })

  const { overall, statuses } = await diagnose(acme, path)

  assert.equal(overall, 'failing')
  assert.deepEqual([statuses.number, statuses.subscription], ['failing', 'failing'])
})

test('a lost subscription fails, and the diagnostics do not restore it', {
  rules: ['diagnostics.have-five-checks'],
}, async (t) => {
  const { acme, path, up, wabaId } = await startChannel(t)
  await up.simulator.control('PATCH', `/accounts/${wabaId}`, { subscribed: false })

  const first = await diagnose(acme, path)
  const second = await diagnose(acme, path)

  assert.deepEqual([first.overall, first.statuses.subscription], ['failing', 'failing'])
  assert.equal(second.statuses.subscription, 'failing')
})

for (const [what, kind, more] of [
  ['that is down', 'http', { status: 503 }],
  ['that hangs', 'hang_before', {}],
  ['that throttles', 'throttle', { code: 4 }],
] as const) {
  test(`an upstream ${what} is a warning and not the channel's fault`, async (t) => {
    const { acme, path, fault, up } = await startChannel(t, { UPSTREAM_TIMEOUT_MS: '2000' })
    await fault(kind, '/', { times: null, ...more })

    const { overall, statuses, of } = await diagnose(acme, path)
    await waitForHeldRequests(up)

    assert.equal(overall, 'warning')
    assert.deepEqual([statuses.token, statuses.number, statuses.subscription], ['warning', 'warning', 'warning'])
    assert.match(of('token')?.remedy ?? '', /again in a few minutes/)
  })
}

// The old token still reads a healthy number, but the channel cannot send.
test('a number that another channel took fails, and the message does not name that channel', async (t) => {
  const { hub, acme, channel, path, move } = await startChannel(t)
  await move(acme, channel, 'DISCONNECTED')
  const rival = await hub.organization()
  const { id } = await createChannel(rival, { name: 'Rival' })
  assert.equal((await connectWithToken(rival, id, channel.number)).status, 200)

  const { overall, of, text } = await diagnose(acme, path)

  assert.equal(overall, 'failing')
  assert.equal(of('number')?.status, 'failing')
  assert.match(of('number')?.message ?? '', /another channel/)
  assert.ok(!text.includes(id) && !text.includes('Rival'))
})

test('no diagnosis contains a secret, whether the checks succeed or fail', {
  rules: ['diagnostics.never-show-a-secret'],
}, async (t) => {
  const { acme, channel, path, up, revoke } = await startChannel(t)
  const secrets = [channel.number.accessToken, up.simulator.appSecret, channel.token]

  const succeeded = await diagnose(acme, path)
  await revoke()
  const failed = await diagnose(acme, path)

  for (const secret of secrets) assert.ok(!succeeded.text.includes(secret) && !failed.text.includes(secret))
})

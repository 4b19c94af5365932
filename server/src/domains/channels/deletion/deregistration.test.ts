import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import {
  createChannel,
  type HubWithUpstream,
  listAuditEntries,
  startHubWithUpstream,
} from '../../../../test/hub-with-upstream.ts'
import { startRelayed } from '../../../../test/relay.ts'

type Account = { waba_id: string; numbers: { phone_number_id: string; registered: boolean }[] }

async function registered(world: HubWithUpstream): Promise<Record<string, boolean>> {
  const { accounts } = await world.up.simulator.control<{ accounts: Account[] }>('GET', '/accounts')
  const numbers = accounts.flatMap((account) => account.numbers)
  return Object.fromEntries(numbers.map((number) => [number.phone_number_id, number.registered]))
}

async function actionsOf(acme: Parameters<typeof listAuditEntries>[0], id: string): Promise<string[]> {
  return (await listAuditEntries(acme, id)).map(({ action }) => action)
}

test('feito: the upstream lets go of the number, and of that number only', {
  rules: ['CHE-10', 'CHE-11', 'DELC-01', 'DELC-09', 'DELC-13', 'DELR-01', 'DELR-02', 'DELR-03'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id, number } = await world.connect(acme)
  const sibling = await world.up.simulator.control<{ phone_number_id: string }>(
    'POST',
    `/accounts/${number.wabaId}/numbers`,
    { registered: true },
  )

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.equal(deleted.status, 200)
  assert.deepEqual(deleted.body, { data: { archived: true, changed: true, deregistro: 'feito' } })
  const asked = (await world.requests()).filter(({ path }) => path.includes('deregister'))
  assert.deepEqual(
    asked.map(({ method, path }) => `${method} ${path}`),
    [`POST /${number.phoneNumberId}/deregister`],
  )
  assert.deepEqual(await registered(world), { [number.phoneNumberId]: false, [sibling.phone_number_id]: true })
  assert.ok(!(await actionsOf(acme, id)).includes('channel.deregister_failed'))
})

test('feito: a number that is not registered any more is what was asked for', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id, number } = await world.connect(acme)
  const { url } = world.up.simulator
  const headers = { authorization: `Bearer ${number.accessToken}` }
  await fetch(`${url}/v25.0/${number.phoneNumberId}/deregister`, { method: 'POST', headers })

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.equal(deleted.body.data.deregistro, 'feito')
})

test('a channel of the same account goes on working when another was deregistered', {
  rules: ['DELC-09'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const gone = await world.connect(acme)
  const { phone_number_id: phoneNumberId } = await world.up.simulator.control<{ phone_number_id: string }>(
    'POST',
    `/accounts/${gone.number.wabaId}/numbers`,
    { registered: true },
  )
  const kept = await createChannel(acme)
  const { wabaId, accessToken } = gone.number
  const body = { access_token: accessToken, waba_id: wabaId, phone_number_id: phoneNumberId }
  await acme.post(`/api/v1/channels/${kept.id}/connection`, body)

  await acme.delete(`/api/v1/channels/${gone.id}?deregister=true`)

  await world.hub.context.health.check({ organizationId: acme.organizationId, id: kept.id })
  assert.equal((await acme.get(`/api/v1/channels/${kept.id}`)).body.data.channel.status, 'active')
  assert.equal((await acme.get(`/api/v1/channels/${kept.id}/templates`)).status, 200)
})

test('falhou: a coexistence number stays registered, and the deletion happens all the same', {
  rules: ['DELC-01', 'DELC-11', 'DELC-12', 'DELC-14', 'DELR-03'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id, number } = await world.connect(acme, { coexistence: true })

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'falhou' })
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 404)
  assert.equal((await registered(world))[number.phoneNumberId], true)
  const actions = new Set(await actionsOf(acme, id))
  assert.ok(actions.has('channel.deregister_failed') && actions.has('channel.deleted'))
})

const OUTAGES: [string, string, Record<string, number>][] = [
  ['answers with an error page', 'http', { status: 503 }],
  ['says that it is overloaded', 'error', { code: 2 }],
  ['throttles', 'throttle', { code: 133016 }],
  ['breaks the connection', 'reset_before', {}],
  ['answers half a sentence', 'garbled_after', {}],
]

for (const [what, kind, more] of OUTAGES) {
  test(`falhou: an upstream that ${what} does not hold up the deletion`, async (t) => {
    const world = await startHubWithUpstream(t)
    const acme = await world.hub.organization()
    const { id } = await world.connect(acme)
    await world.fault(kind, '/deregister', more)

    const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

    assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'falhou' })
    assert.ok((await actionsOf(acme, id)).includes('channel.deregister_failed'))
    assert.equal((await world.requests('/deregister')).length, 1)
  })
}

test('falhou: an upstream that cannot be reached at all does not hold up the deletion', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await world.connect(acme)
  await world.up.simulator.close()

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'falhou' })
})

test('falhou: a credential that the upstream refuses cannot deregister', { rules: ['DELC-11'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id, number } = await world.connect(acme)
  await world.up.simulator.control('POST', '/tokens/revoke', { waba_id: number.wabaId })

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.equal(deleted.body.data.deregistro, 'falhou')
})

test('sem-credencial: a ring that cannot open the token leaves the number registered', {
  rules: ['D2-18', 'DELC-15', 'DELR-03'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id, number } = await world.connect(acme)
  const hub = await startHub(t, {
    simulator: world.up.simulator,
    installation: { keyRing: () => [{ id: 'another', bytes: randomBytes(32) }] },
  })
  const elsewhere = hub.anonymous.with({ authorization: `Bearer ${acme.key}` })

  const deleted = await elsewhere.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'sem-credencial' })
  assert.equal((await registered(world))[number.phoneNumberId], true)
  assert.equal((await world.requests('/deregister')).length, 0)
})

// The old credential may well still work: the number would be lost to whoever holds it now.
test('sem-credencial: a number that another channel holds by now is not taken away from it', {
  rules: ['STC-01'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const other = await world.hub.organization()
  const loser = await world.connect(acme)
  await world.move(acme, loser, 'DISCONNECTED')
  await world.connect(other, { number: loser.number })

  const deleted = await acme.delete(`/api/v1/channels/${loser.id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'sem-credencial' })
  assert.equal((await world.requests('/deregister')).length, 0)
  assert.equal((await registered(world))[loser.number.phoneNumberId], true)
})

test('sem-numero: a channel that never had a number has none to deregister', {
  rules: ['DELC-17', 'DELR-03', 'STC-01'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'sem-numero' })
  assert.equal((await world.requests()).length, 0)
})

for (const query of ['', '?deregister=false']) {
  test(`nao-solicitado: with "${query}" the upstream is not asked, whatever the channel's state`, {
    rules: ['D6-39'],
  }, async (t) => {
    const world = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
    const acme = await world.hub.organization()
    const pending = await createChannel(acme)
    const [active, degraded, disconnected] = [
      await world.connect(acme),
      await world.connect(acme),
      await world.connect(acme),
    ]
    await world.move(acme, degraded, 'FLAGGED')
    await world.move(acme, disconnected, 'BANNED')
    const ids = [pending.id, active.id, degraded.id, disconnected.id]
    const states = await Promise.all(
      ids.map(async (id) => (await acme.get(`/api/v1/channels/${id}`)).body.data.channel),
    )
    const before = await world.requests()

    const answers = await Promise.all(ids.map((id) => acme.delete(`/api/v1/channels/${id}${query}`)))

    assert.deepEqual(
      states.map(({ status }) => status),
      ['pending', 'active', 'degraded', 'disconnected'],
    )
    const expected = { archived: true, changed: true, deregistro: 'nao-solicitado' }
    for (const { body } of answers) assert.deepEqual(body.data, expected)
    assert.deepEqual(await world.requests(), before)
  })
}

for (const query of ['?deregister=maybe', '?deregister=', '?deregister=true&force=true']) {
  test(`a deletion with "${query}" is refused, and deletes nothing`, async (t) => {
    const hub = await startHub(t)
    const acme = await hub.organization()
    const { id } = await createChannel(acme)

    const refused = await acme.delete(`/api/v1/channels/${id}${query}`)

    assert.equal(refused.status, 400)
    assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 200)
  })
}

// Between asking the upstream and archiving, another deletion would free the number for somebody else to connect.
test('a deletion waits for one that is asking the upstream, and reports its outcome', {
  rules: ['DELC-08'],
}, async (t) => {
  const { acme, relay, id } = await startRelayed(t)
  const asked = relay.catch('/deregister')

  const first = acme.delete(`/api/v1/channels/${id}?deregister=true`)
  const caught = await asked
  const second = acme.delete(`/api/v1/channels/${id}`)
  const before = await acme.get(`/api/v1/channels/${id}`)
  caught.proceed()
  const answers = await Promise.all([first, second])

  assert.equal(before.status, 200)
  assert.deepEqual(
    answers.map(({ body }) => body.data),
    [
      { archived: true, changed: true, deregistro: 'feito' },
      { archived: true, changed: false, deregistro: 'feito' },
    ],
  )
  const log = await acme.get(`/api/v1/audit-log?target_id=${id}&action=channel.deleted`)
  assert.equal(log.body.data.entries.length, 1)
})

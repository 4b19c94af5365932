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

async function listRegistrations(setup: HubWithUpstream): Promise<Record<string, boolean>> {
  const { accounts } = await setup.up.simulator.control<{ accounts: Account[] }>('GET', '/accounts')
  const numbers = accounts.flatMap((account) => account.numbers)
  return Object.fromEntries(numbers.map((number) => [number.phone_number_id, number.registered]))
}

async function listActions(acme: Parameters<typeof listAuditEntries>[0], id: string): Promise<string[]> {
  return (await listAuditEntries(acme, id)).map(({ action }) => action)
}

test('feito: the upstream deregisters this number only', {
  rules: [
    'deletion.deregisters-that-number-alone',
    'deletion.success-is-feito',
    'deletion.repeat-reports-the-first-outcome',
  ],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme)
  const sibling = await setup.up.simulator.control<{ phone_number_id: string }>(
    'POST',
    `/accounts/${number.wabaId}/numbers`,
    { registered: true },
  )

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.equal(deleted.status, 200)
  assert.deepEqual(deleted.body, { data: { archived: true, changed: true, deregistro: 'feito' } })
  const asked = (await setup.requests()).filter(({ path }) => path.includes('deregister'))
  assert.deepEqual(
    asked.map(({ method, path }) => `${method} ${path}`),
    [`POST /${number.phoneNumberId}/deregister`],
  )
  assert.deepEqual(await listRegistrations(setup), { [number.phoneNumberId]: false, [sibling.phone_number_id]: true })
  assert.ok(!(await listActions(acme, id)).includes('channel.deregister_failed'))
})

test('feito: a number that is no longer registered counts as deregistered', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme)
  const { url } = setup.up.simulator
  const headers = { authorization: `Bearer ${number.accessToken}` }
  await fetch(`${url}/v25.0/${number.phoneNumberId}/deregister`, { method: 'POST', headers })

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.equal(deleted.body.data.deregistro, 'feito')
})

test('a channel of the same account still works after another was deregistered', {
  rules: ['deletion.deregisters-that-number-alone'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const gone = await setup.connect(acme)
  const { phone_number_id: phoneNumberId } = await setup.up.simulator.control<{ phone_number_id: string }>(
    'POST',
    `/accounts/${gone.number.wabaId}/numbers`,
    { registered: true },
  )
  const kept = await createChannel(acme)
  const { wabaId, accessToken } = gone.number
  const body = { access_token: accessToken, waba_id: wabaId, phone_number_id: phoneNumberId }
  await acme.post(`/api/v1/channels/${kept.id}/connection`, body)

  await acme.delete(`/api/v1/channels/${gone.id}?deregister=true`)

  await setup.hub.context.health.check({ organizationId: acme.organizationId, id: kept.id })
  assert.equal((await acme.get(`/api/v1/channels/${kept.id}`)).body.data.channel.status, 'active')
  assert.equal((await acme.get(`/api/v1/channels/${kept.id}/templates`)).status, 200)
})

test('falhou: a coexistence number stays registered, and the channel is deleted', {
  rules: ['deletion.archives-the-channel', 'deletion.proceeds-if-upstream-refuses', 'deletion.refusal-is-audited'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme, { coexistence: true })

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'falhou' })
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 404)
  assert.equal((await listRegistrations(setup))[number.phoneNumberId], true)
  const entries = await listAuditEntries(acme, id)
  assert.ok(entries.some(({ action }) => action === 'channel.deleted'))
  const failed = entries.find(({ action }) => action === 'channel.deregister_failed')
  assert.deepEqual(failed?.details, {
    code: 100,
    title: 'Deregister endpoint is not available for API solution for SMB businesses.',
    fbtrace_id: failed?.details.fbtrace_id,
  })
  assert.match(String(failed?.details.fbtrace_id), /^A\w{22}$/)
})

const OUTAGES: [string, string, Record<string, number>][] = [
  ['responds with a 503', 'http', { status: 503 }],
  ['reports a transient error', 'error', { code: 2 }],
  ['throttles', 'throttle', { code: 133016 }],
  ['resets the connection', 'reset_before', {}],
  ['sends incomplete JSON', 'garbled_after', {}],
]

for (const [what, kind, more] of OUTAGES) {
  test(`falhou: an upstream that ${what} does not prevent the deletion`, async (t) => {
    const setup = await startHubWithUpstream(t)
    const acme = await setup.hub.organization()
    const { id } = await setup.connect(acme)
    await setup.fault(kind, '/deregister', more)

    const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

    assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'falhou' })
    assert.ok((await listActions(acme, id)).includes('channel.deregister_failed'))
    assert.equal((await setup.requests('/deregister')).length, 1)
  })
}

test('falhou: an upstream that cannot be reached does not prevent the deletion', async (t) => {
  const setup = await startHubWithUpstream(t, { isOwn: true })
  const acme = await setup.hub.organization()
  const { id } = await setup.connect(acme)
  await setup.up.simulator.close()

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'falhou' })
})

test('falhou: the number of a refused credential stays registered', {
  rules: ['deletion.proceeds-if-upstream-refuses'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme)
  await setup.up.simulator.control('POST', '/tokens/revoke', { waba_id: number.wabaId })

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.equal(deleted.body.data.deregistro, 'falhou')
})

test('sem-credencial: a number whose token no key decrypts stays registered', {
  rules: ['deletion.unreadable-credential-is-sem-credencial'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme)
  const hub = await startHub(t, {
    simulator: setup.up.simulator,
    installation: { keyRing: () => [{ id: 'another', bytes: randomBytes(32) }] },
  })
  const elsewhere = hub.anonymous.with({ authorization: `Bearer ${acme.key}` })

  const deleted = await elsewhere.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'sem-credencial' })
  assert.equal((await listRegistrations(setup))[number.phoneNumberId], true)
  assert.equal((await setup.requests('/deregister')).length, 0)
})

// The old credential may still work, and would deregister the number of the other channel.
test('sem-credencial: a number that another channel took stays registered', {
  rules: ['deletion.archives-the-channel'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const other = await setup.hub.organization()
  const loser = await setup.connect(acme)
  await setup.move(acme, loser, 'DISCONNECTED')
  await setup.connect(other, { number: loser.number })

  const deleted = await acme.delete(`/api/v1/channels/${loser.id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'sem-credencial' })
  assert.equal((await setup.requests('/deregister')).length, 0)
  assert.equal((await listRegistrations(setup))[loser.number.phoneNumberId], true)
})

test('sem-numero: a channel without a number is deleted without an upstream call', {
  rules: ['deletion.never-connected-is-sem-numero', 'deletion.archives-the-channel'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)

  const deleted = await acme.delete(`/api/v1/channels/${id}?deregister=true`)

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'sem-numero' })
  assert.equal((await setup.requests()).length, 0)
})

for (const query of ['', '?deregister=false']) {
  test(`nao-solicitado: with "${query}" the upstream is not called in any state of the channel`, {
    rules: ['deletion.unrequested-is-nao-solicitado'],
  }, async (t) => {
    const setup = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
    const acme = await setup.hub.organization()
    const pending = await createChannel(acme)
    const [active, degraded, disconnected] = [
      await setup.connect(acme),
      await setup.connect(acme),
      await setup.connect(acme),
    ]
    await setup.move(acme, degraded, 'FLAGGED')
    await setup.move(acme, disconnected, 'BANNED')
    const ids = [pending.id, active.id, degraded.id, disconnected.id]
    const states = await Promise.all(
      ids.map(async (id) => (await acme.get(`/api/v1/channels/${id}`)).body.data.channel),
    )
    const before = await setup.requests()

    const answers = await Promise.all(ids.map((id) => acme.delete(`/api/v1/channels/${id}${query}`)))

    assert.deepEqual(
      states.map(({ status }) => status),
      ['pending', 'active', 'degraded', 'disconnected'],
    )
    const expected = { archived: true, changed: true, deregistro: 'nao-solicitado' }
    for (const { body } of answers) assert.deepEqual(body.data, expected)
    assert.deepEqual(await setup.requests(), before)
  })
}

test('a deletion with an invalid query is 400 and deletes nothing', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  for (const query of ['?deregister=maybe', '?deregister=1', '?deregister=', '?deregister=true&force=true']) {
    const refused = await acme.delete(`/api/v1/channels/${id}${query}`)

    assert.equal(refused.status, 400, query)
  }
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 200)
})

// Another deletion between the upstream call and the archiving would free the number for another channel.
test('a deletion waits for a concurrent one that deregisters, and reports its outcome', {
  rules: ['deletion.deregisters-on-request'],
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

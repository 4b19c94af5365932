import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestHub } from '../../../../test/hub.ts'
import { createChannel, holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { newId } from '../../../kernel/ids.ts'
import { createWebhook, getWebhook, readRow, setFailures, startWithDns } from './test/webhooks.ts'

const STATUSES = ['active', 'paused', 'disabled'] as const

/** The ids of all endpoints that are woken from now on. */
function recordWakeUps(hub: TestHub): string[] {
  const woken: string[] = []
  hub.context.wakeUps.listen((endpoints) => void woken.push(...endpoints.map(({ endpointId }) => endpointId)))
  return woken
}

for (const from of STATUSES) {
  for (const to of STATUSES) {
    test(`PATCH changes the status from ${from} to ${to}`, {
      rules: ['endpoint.patch-sets-any-status'],
    }, async (t) => {
      const hub = await startWithDns(t)
      const acme = await hub.organization()
      const { id } = await createWebhook(acme)
      const path = `/api/v1/webhooks/${id}`
      if (from !== 'active') await acme.patch(path, { status: from })
      const before = await readRow(hub, id)
      const woken = recordWakeUps(hub)
      await hub.clock.advance('1 hour')

      const changed = await acme.patch(path, { status: to })

      assert.equal(changed.status, 200)
      assert.equal(changed.body.data.webhook.status, to)
      const after = await readRow(hub, id)
      const isChange = from !== to
      assert.equal(after.generation, before.generation + (isChange ? 1 : 0))
      const isCanceling = isChange && to === 'disabled'
      assert.equal(after.canceled_generation, isCanceling ? before.generation : before.canceled_generation)
      const pausedAt = to === 'paused' && isChange ? after.updated_at : null
      assert.equal(after.paused_at, to === from ? before.paused_at : pausedAt)
      assert.deepEqual(woken, isChange && to === 'active' ? [id] : [])
    })
  }
}

test('a change without a status keeps the generation and the time of a pause', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  await acme.patch(`/api/v1/webhooks/${id}`, { status: 'paused' })
  const before = await readRow(hub, id)
  await hub.clock.advance('1 hour')

  await acme.patch(`/api/v1/webhooks/${id}`, { name: 'new' })

  const after = await readRow(hub, id)
  assert.deepEqual(
    [after.status, after.generation, after.canceled_generation, after.paused_at],
    [before.status, before.generation, before.canceled_generation, before.paused_at],
  )
})

test('each change of status raises the generation, and disabling cancels all earlier ones', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)

  for (const status of ['paused', 'active', 'disabled', 'disabled', 'active', 'paused']) {
    await acme.patch(`/api/v1/webhooks/${id}`, { status })
  }

  const { generation, canceled_generation, version } = await readRow(hub, id)
  assert.deepEqual({ generation, canceled_generation, version }, { generation: 6, canceled_generation: 3, version: 7 })
})

for (const from of STATUSES) {
  test(`a change from ${from} to active resets the failures`, {
    rules: ['pause.patch-to-active-ends-it'],
  }, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const [{ id }, other] = [await createWebhook(acme), await createWebhook(acme)]
    if (from !== 'active') await acme.patch(`/api/v1/webhooks/${id}`, { status: from })
    await setFailures(hub, acme.organizationId, id, 20)
    await setFailures(hub, acme.organizationId, other.id, 3)

    const changed = await acme.patch(`/api/v1/webhooks/${id}`, { status: 'active' })

    assert.equal(changed.body.data.webhook.consecutive_failures, 0)
    assert.equal((await getWebhook(acme, other.id)).consecutive_failures, 3)
  })
}

test('a change without status active keeps the failure count', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  await setFailures(hub, acme.organizationId, id, 7)

  for (const change of [{ name: 'new' }, { status: 'paused' }, { status: 'disabled' }]) {
    const changed = await acme.patch(`/api/v1/webhooks/${id}`, change)
    assert.equal(changed.body.data.webhook.consecutive_failures, 7)
  }
})

test('a refused reactivation keeps the failures and wakes no worker', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme, { all_channels: false, channel_ids: [(await createChannel(acme)).id] })
  await acme.patch(`/api/v1/webhooks/${id}`, { status: 'paused' })
  await setFailures(hub, acme.organizationId, id, 20)
  const woken = recordWakeUps(hub)

  const refused = await acme.patch(`/api/v1/webhooks/${id}`, { status: 'active', channel_ids: [newId()] })

  assert.equal(refused.status, 400)
  const { status, consecutive_failures } = await getWebhook(acme, id)
  assert.deepEqual([status, consecutive_failures], ['paused', 20])
  assert.deepEqual(woken, [])
})

test("another organization's reactivation clears no failures", async (t) => {
  const hub = await startWithDns(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const { id } = await createWebhook(acme)
  await setFailures(hub, acme.organizationId, id, 7)

  const refused = [
    await other.patch(`/api/v1/webhooks/${id}`, { status: 'active' }),
    await other.delete(`/api/v1/webhooks/${id}`),
  ]

  for (const { status } of refused) assert.equal(status, 404)
  assert.equal((await getWebhook(acme, id)).consecutive_failures, 7)
})

test('concurrent pauses change the status once and wake no worker; concurrent reactivations wake once', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  const woken = recordWakeUps(hub)
  const allAtOnce = (status: string) =>
    contend((tx) => tx`select 1 from webhook_endpoints where id = ${id} for update`, {
      waiting: 5,
      work: () => Promise.all(Array.from({ length: 5 }, () => acme.patch(`/api/v1/webhooks/${id}`, { status }))),
    })

  await allAtOnce('paused')
  const paused = await readRow(hub, id)
  await allAtOnce('active')
  const active = await readRow(hub, id)

  assert.deepEqual([paused.generation, paused.version], [2, 6])
  assert.deepEqual([active.generation, active.version, active.status], [3, 11, 'active'])
  assert.deepEqual(woken, [id])
})

// The result writer locks the failure count first, and then the endpoint that it pauses.
for (const [what, initiator] of [
  ['reactivation', { method: 'PATCH', body: { status: 'active' } }],
  ['deletion', { method: 'DELETE', body: undefined }],
] as const) {
  test(`a ${what} concurrent with an automatic pause does not deadlock`, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const { id } = await createWebhook(acme)
    await setFailures(hub, acme.organizationId, id, 19)
    const held = await holdTransaction(
      hub.sql,
      (tx) => tx`update webhook_endpoint_health set consecutive_failures = 20 where endpoint_id = ${id}`,
      (tx) => tx`update webhook_endpoints set status = 'paused', generation = generation + 1 where id = ${id}`,
    )

    const acted = acme.send(initiator.method, `/api/v1/webhooks/${id}`, { body: initiator.body })
    await waitUntilBlocked(hub.sql, 1)
    await held.release()

    assert.equal((await acted).status, 200)
    const [row] = await hub.sql`
      select e.status, e.generation, h.consecutive_failures
      from webhook_endpoints e
      left join webhook_endpoint_health h on h.endpoint_id = e.id
      where e.id = ${id}`
    const expected = { status: 'active', generation: 3, consecutive_failures: null }
    assert.deepEqual(row, what === 'deletion' ? undefined : expected)
  })
}

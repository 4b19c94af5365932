import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { createRequests, startWebhooks } from '../test/fixture.ts'
import { isSignedWith } from '../test/signature.ts'
import { acknowledge, attach, createListener } from './test/stream.ts'

test('a listener gets no events of another organization, which cannot reach it even with its secret', {
  rules: ['listener.foreign-one-is-404'],
}, async (t) => {
  const { hub, receiver, acme, publish } = await startWebhooks(t)
  const globex = await hub.organization()
  const theirs = createRequests(hub, receiver, globex)
  const listener = await createListener(acme)
  const headers = { 'x-hub-listener-secret': listener.secret }
  const path = `/api/v1/listeners/${listener.id}`

  const answers = [
    await globex.get(`${path}/stream`, { headers }),
    await acknowledge(globex, listener, [newId()]),
    await globex.delete(path, { headers }),
  ]
  await theirs.publish({ kind: 'template.status' })
  await publish({ kind: 'phone.quality' })

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code]),
    answers.map(() => [404, 'NOT_FOUND']),
  )
  assert.equal((await (await attach(t, hub.url, acme, listener)).delivery()).event, 'phone.quality')
})

test('a listener with another secret is 404 like an unknown one', {
  rules: ['listener.foreign-one-is-404'],
}, async (t) => {
  const { acme } = await startWebhooks(t)
  const { id } = await createListener(acme)
  const { secret } = await createListener(acme)
  const headers = { 'x-hub-listener-secret': secret }

  const answers = [
    await acme.get(`/api/v1/listeners/${id}/stream`, { headers }),
    await acme.get(`/api/v1/listeners/${newId()}/stream`, { headers }),
    await acknowledge(acme, { id, secret }, [newId()]),
    await acme.delete(`/api/v1/listeners/${id}`, { headers }),
  ]
  const without = await acme.get(`/api/v1/listeners/${id}/stream`)

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.message]),
    answers.map(() => [404, answers[0]?.body.error.message]),
  )
  assert.equal(without.status, 400)
})

test('an acknowledgement deletes deliveries of its own listener only', async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const [one, two] = [await createListener(acme), await createListener(acme)]
  await publish({ kind: 'phone.quality' })
  const foreign = await (await attach(t, hub.url, acme, two)).delivery()

  const answer = await acknowledge(acme, one, [foreign.id])

  assert.deepEqual(answer.body, { data: { acknowledged: 0 } })
  assert.equal((await (await attach(t, hub.url, acme, two)).delivery()).id, foreign.id)
})

test('listeners are neither in the list of webhooks nor in the quota of the plan', {
  rules: ['listener.is-no-webhook'],
}, async (t) => {
  const { acme } = await startWebhooks(t, { env: { BILLING: 'sandbox' } })

  await createListener(acme)

  assert.deepEqual((await acme.get('/api/v1/webhooks')).body.data.webhooks, [])
  const { quotas } = (await acme.get('/api/v1/subscription')).body.data
  assert.equal(quotas.webhook_endpoints.used, 0)
})

test('the creation and the deletion of a listener are in the audit log, without its secret', async (t) => {
  const { acme } = await startWebhooks(t)
  const listener = await createListener(acme)
  await acme.delete(`/api/v1/listeners/${listener.id}`, { headers: { 'x-hub-listener-secret': listener.secret } })

  const log = await acme.get(`/api/v1/audit-log?target_id=${listener.id}`)

  const actions = log.body.data.entries.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['listener.deleted', 'listener.created'])
  assert.ok(!log.text.includes(listener.secret))
})

const CHANNEL = newId()
const REFUSED: [string, object, number, string][] = [
  ['an unknown kind', { event_types: ['message.lost'] }, 400, 'INVALID_REQUEST'],
  ['an unknown member', { url: 'https://example.com' }, 400, 'INVALID_REQUEST'],
  ['all_channels with a list', { channel_ids: [CHANNEL] }, 400, 'INVALID_WEBHOOK'],
  ['no channel at all', { all_channels: false }, 400, 'INVALID_WEBHOOK'],
  ['an unknown channel', { all_channels: false, channel_ids: [CHANNEL] }, 400, 'INVALID_WEBHOOK'],
]

for (const [what, body, status, code] of REFUSED) {
  test(`a listener with ${what} is refused`, { rules: ['listener.filters-as-an-endpoint'] }, async (t) => {
    const { acme } = await startWebhooks(t)

    const refused = await acme.post('/api/v1/listeners', body)

    assert.deepEqual([refused.status, refused.body.error.code], [status, code])
  })
}

test("a listener with another organization's channel is refused", async (t) => {
  const { hub, acme } = await startWebhooks(t)
  const foreign = await createChannel(await hub.organization())

  const refused = await acme.post('/api/v1/listeners', { all_channels: false, channel_ids: [foreign.id] })

  assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_WEBHOOK'])
})

test('an acknowledgement of none, of 1,001 and of something that is not a uuid is refused', async (t) => {
  const { acme } = await startWebhooks(t)
  const listener = await createListener(acme)

  for (const ids of [[], Array.from({ length: 1001 }, () => newId()), ['1']]) {
    assert.equal((await acknowledge(acme, listener, ids)).status, 400)
  }
})

test('a listener is created with the secret that its client has kept, also a second time', {
  rules: ['listener.secret-may-be-given'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const secret = `whsec_${'aB3-_'.repeat(9).slice(0, 43)}`

  const first = await acme.post('/api/v1/listeners', { secret })
  const second = await acme.post('/api/v1/listeners', { secret, event_types: ['phone.quality'] })
  await publish({ kind: 'phone.quality' })
  const delivery = await (await attach(t, hub.url, acme, { id: second.body.data.listener.id, secret })).delivery()

  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual([first.body.data.secret, second.body.data.secret], [secret, secret])
  assert.notEqual(first.body.data.listener.id, second.body.data.listener.id)
  const headers = Object.fromEntries(
    Object.entries(delivery.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  assert.ok(isSignedWith({ method: 'POST', path: '/', headers, body: Buffer.from(delivery.body) }, secret))
})

test('a secret of another form is 400', { rules: ['listener.secret-may-be-given'] }, async (t) => {
  const { acme } = await startWebhooks(t)
  const characters = 'a'.repeat(43)

  for (const secret of [
    '',
    'whsec_',
    characters,
    `whsec_${characters}a`,
    `whsec_${characters.slice(1)}`,
    `whsec_${characters.slice(1)}+`,
    `whsec_${characters}\n`,
    null,
    7,
  ]) {
    const { status, body } = await acme.post('/api/v1/listeners', { secret })
    assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'], JSON.stringify(secret))
  }
})

test('the dashboard lists the listeners that are not over, of its own organization, without their secret', {
  rules: ['listener.dashboard-lists-live-ones'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stranger = await hub.person()
  const list = async (person: typeof viewer) => (await person.get('/console/listeners')).body.data.listeners
  const first = await createListener(acme)
  const { data } = (await acme.post('/api/v1/listeners', { event_types: ['phone.quality'] })).body
  await publish({ kind: 'account.update' })

  const both = await list(viewer)
  await acme.delete(`/api/v1/listeners/${data.listener.id}`, { headers: { 'x-hub-listener-secret': data.secret } })
  const one = await list(viewer)
  await hub.clock.advance('61 seconds')
  const none = await list(viewer)

  assert.deepEqual(
    both.map(({ created_at: _, ...listener }: Record<string, unknown>) => listener),
    [
      [data.listener.id, ['phone.quality'], 0],
      [first.id, [], 1],
    ].map(([id, events, unacknowledged]) => ({
      id,
      events,
      payload_mode: 'normalized',
      all_channels: true,
      channel_ids: [],
      unacknowledged,
    })),
  )
  assert.deepEqual(
    one.map(({ id }: { id: string }) => id),
    [first.id],
  )
  assert.deepEqual([none, await list(stranger)], [[], []])
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { createSender } from '../attempts/sender.ts'
import { toSecretPlace } from '../endpoints/secret-place.ts'
import { startSecondHub, startWebhooks, type WebhookFixture } from '../test/fixture.ts'
import { isSignedWith } from '../test/signature.ts'
import type { Inspector } from './schemas.ts'

const PATH = '/console/inspector'
const ON = { env: { INSPECTOR: 'on' } }

/** A hub with inspectors, and Ana, an owner of the organization of its fixture. */
async function startInspecting(t: TestContext) {
  const fixture = await startWebhooks(t, ON)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  async function show(): Promise<Inspector> {
    const { status, body, text } = await ana.get(PATH)
    assert.equal(status, 200, text)
    return body.data.inspector
  }
  async function create(): Promise<Inspector> {
    const { status, body, text } = await ana.post(PATH)
    assert.equal(status, 200, text)
    return body.data.inspector
  }
  return { ...fixture, ana, show, create }
}

/** The state of each request, newest first. */
function listOutcomes({ requests }: Inspector) {
  return requests.map(({ event, http_status, error_code }) => [event, http_status ?? error_code])
}

async function failTwentyTimes({ hub, publish }: Pick<WebhookFixture, 'hub' | 'publish'>) {
  for (let failures = 0; failures < 20; failures++) {
    await publish({})
    await hub.deliver()
    await hub.clock.advance('20 seconds')
  }
}

test('an inspector shows each event as the signed request that a receiver would get', {
  rules: ['inspector.gets-signed-requests', 'inspector.makes-no-connection'],
}, async (t) => {
  const { hub, receiver, ana, create, show, publish } = await startInspecting(t)
  const { id } = await create()

  await publish({ kind: 'phone.quality' })
  await hub.deliver()
  const { requests, secret_last4 } = await show()
  const [request] = requests
  const { body } = await ana.post(`${PATH}/deliveries/${request?.delivery_id}/reveal`)

  assert.deepEqual(
    [request?.event, request?.attempt, request?.http_status, request?.delivery_status],
    ['phone.quality', 1, 200, 'succeeded'],
  )
  const content = Buffer.from(body.data.body_base64, 'base64')
  assert.equal(content.length, request?.bytes)
  const [verification] = body.data.verifications
  const headers = Object.fromEntries(
    Object.entries(verification.request_headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  assert.equal(headers['x-hub-delivery-id'], request?.delivery_id)
  assert.deepEqual([verification.is_equal, verification.age_seconds], [true, 0])
  const sealed = await hub.sql<{ secret: string }[]>`select secret from webhook_endpoints where id = ${id}`
  const secret = hub.context.sealing.open(sealed[0]!.secret, toSecretPlace(ana.organizationId, id))
  assert.ok(isSignedWith({ headers, body: content } as Parameters<typeof isSignedWith>[0], secret!))
  assert.equal(secret?.slice(-4), secret_last4)
  assert.equal(receiver.received.length, 0)
})

test('an inspector answers as a person chooses, from the next attempt on', {
  rules: ['inspector.answers-as-chosen'],
}, async (t) => {
  const { hub, ana, create, show, publish } = await startInspecting(t)
  const { id } = await create()

  for (const answer of ['500', '410', '200']) {
    assert.equal((await ana.patch(PATH, { answer })).status, 200)
    await publish({})
    await hub.deliver()
  }

  const inspector = await show()
  assert.deepEqual(
    listOutcomes(inspector).map(([, outcome]) => outcome),
    [200, 410, 500],
  )
  assert.deepEqual(
    inspector.requests.map(({ delivery_status }) => delivery_status),
    ['succeeded', 'retry', 'retry'],
  )
  const answers = (await listAuditEntries(ana, id)).filter(({ action }) => action === 'inspector.updated')
  assert.equal(answers.length, 3)
})

test('an inspector that hangs ends an attempt at its deadline', {
  rules: ['inspector.answers-as-chosen'],
}, async () => {
  const destinations = { check: () => Promise.reject(new Error('A destination was checked')) }
  await using sender = createSender({ destinations, version: '1', deadlineMs: 5 })
  const request = {
    url: '',
    deliveryId: 'd',
    payload: Buffer.from('{}'),
    secret: 's',
    deliveryFormat: 'native',
  } as const

  const result = await sender.send({ ...request, inspectorAnswer: 'hang' })

  assert.deepEqual([result.ok, result.httpStatus, result.errorCode, result.address], [false, null, 'TIMEOUT', null])
})

test('an inspector that fails twenty times in a row is paused, tells no endpoint, and can be resumed', {
  rules: ['inspector.pauses-and-resumes'],
}, async (t) => {
  const { hub, ana, create, show, publish, endpoint, arrived } = await startInspecting(t)
  await create()
  const crm = await endpoint({ event_types: ['endpoint.paused'] })
  await ana.patch(PATH, { answer: '500' })

  await failTwentyTimes({ hub, publish })
  const paused = await show()
  const test = await ana.post(`${PATH}/test`)
  const { body } = await ana.patch(PATH, { answer: '200', status: 'active' })
  await hub.deliver()

  assert.deepEqual([paused.status, paused.consecutive_failures], ['paused', 20])
  assert.equal(test.status, 404)
  assert.deepEqual([body.data.inspector.status, body.data.inspector.consecutive_failures], ['active', 0])
  assert.equal((await ana.post(`${PATH}/test`)).status, 202)
  assert.equal(arrived(crm).length, 0)
})

test('two clicks make one inspector', { rules: ['inspector.one-per-organization'] }, async (t) => {
  const { ana, create } = await startInspecting(t)

  const created = await Promise.all([create(), create(), create(), create()])

  assert.equal(new Set(created.map(({ id }) => id)).size, 1)
  const entries = await listAuditEntries(ana, created[0]!.id)
  assert.equal(entries.filter(({ action }) => action === 'inspector.created').length, 1)
})

test('the API and the quota do not know an inspector', { rules: ['inspector.is-no-webhook'] }, async (t) => {
  const { hub, acme, ana, create, publish, endpoint } = await startInspecting(t)
  const { id } = await create()
  const crm = await endpoint()
  await publish({ kind: 'phone.quality' })
  await hub.deliver()
  const [request] = (await ana.get(PATH)).body.data.inspector.requests
  const path = `/api/v1/webhooks/${id}`
  const delivery = `${path}/deliveries/${request.delivery_id}`

  const answers = await Promise.all([
    acme.get(path),
    acme.patch(path, { name: 'x' }),
    acme.patch(path, { url: 'https://93.184.216.34/' }),
    acme.delete(path),
    acme.get(`${path}/deliveries`),
    acme.get(`${path}/pauses`),
    acme.get(delivery),
    acme.post(`${delivery}/retry`),
    acme.post(`${path}/replay/${request.delivery_id}`),
    acme.post(`${path}/test`),
    acme.post(`${path}/rotate-secret`, {}),
    acme.post(`${path}/recover`, { since: '2026-01-01T00:00:00Z' }),
    ana.post(`/console/webhooks/${id}/deliveries/${request.delivery_id}/reveal`),
    ana.get(`/console/deliveries/${request.delivery_id}`),
  ])
  const { webhooks } = (await acme.get('/api/v1/webhooks')).body.data
  const { quotas } = (await acme.get('/api/v1/subscription')).body.data
  const attention = (await ana.get('/console/attention')).text

  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 404),
  )
  assert.deepEqual(
    webhooks.map((webhook: { id: string }) => webhook.id),
    [crm.id],
  )
  assert.equal(quotas.webhook_endpoints.used, 1)
  assert.equal(attention.includes(id), false)
})

test('an inspector of another organization is not reached', { rules: ['inspector.foreign-one-is-404'] }, async (t) => {
  const { hub, ana, create, publish } = await startInspecting(t)
  await create()
  await publish({ kind: 'phone.quality' })
  await hub.deliver()
  const [request] = (await ana.get(PATH)).body.data.inspector.requests
  const bob = await hub.person()
  const reveal = `${PATH}/deliveries/${request.delivery_id}/reveal`

  const answers = [
    await bob.patch(PATH, { answer: '500' }),
    await bob.delete(PATH),
    await bob.post(`${PATH}/test`),
    await bob.post(reveal),
  ]
  const none = await bob.get(PATH)
  const own = await bob.post(PATH)
  const withOwn = await bob.post(reveal)

  assert.deepEqual(
    [...answers, withOwn].map(({ status }) => status),
    [404, 404, 404, 404, 404],
  )
  assert.equal(none.body.data.inspector, null)
  assert.deepEqual(own.body.data.inspector.requests, [])
  assert.equal((await ana.get(PATH)).body.data.inspector.answer, '200')
})

test('an inspector needs a role that may write webhooks', { rules: ['inspector.needs-two-scopes'] }, async (t) => {
  const { hub, acme } = await startInspecting(t)
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const developer = await hub.person({ organizationId: acme.organizationId, role: 'developer' })

  const answers = [await viewer.get(PATH), await viewer.post(PATH), await acme.post(PATH), await developer.post(PATH)]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 401, 200],
  )
})

test('an inspector is deleted with its log a day after its creation', {
  rules: ['inspector.lives-24-hours'],
}, async (t) => {
  const { hub, ana, create, publish } = await startInspecting(t)
  const { id, created_at, expires_at } = await create()
  await publish({})
  await hub.deliver()
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 86_400_000)

  await hub.clock.advance('23 hours')
  await hub.context.inspectors.deleteExpired()
  assert.equal((await ana.get(PATH)).body.data.inspector.id, id)
  await hub.clock.advance('1 hours')
  const gone = await ana.get(PATH)
  await hub.context.inspectors.deleteExpired()
  await hub.context.deliveryRetention.removeDeleted()

  assert.equal(gone.body.data.inspector, null)
  const [left] = await hub.sql<{ count: number }[]>`
    select ((select count(*) from webhook_endpoints where id = ${id}) + (select count(*) from deliveries where endpoint_id = ${id})
      + (select count(*) from delivery_queue where endpoint_id = ${id})
      + (select count(*) from delivery_attempts where organization_id = ${ana.organizationId}))::int as count`
  assert.equal(left?.count, 0)
  assert.notEqual((await create()).id, id)
})

test('a person deletes an inspector with its log', { rules: ['inspector.lives-24-hours'] }, async (t) => {
  const { hub, ana, create, publish } = await startInspecting(t)
  const { id } = await create()
  await publish({})
  await hub.deliver()

  assert.equal((await ana.delete(PATH)).status, 200)
  await hub.context.deliveryRetention.removeDeleted()

  assert.equal((await ana.delete(PATH)).status, 404)
  const [left] = await hub.sql<{ count: number }[]>`
    select count(*)::int as count from deliveries where endpoint_id = ${id}`
  assert.equal(left?.count, 0)
})

test('another process attempts what is due of an inspector, with the answer that was chosen last', {
  rules: ['inspector.any-process-delivers'],
}, async (t) => {
  const { hub, receiver, ana, create, publish } = await startInspecting(t)
  await create()
  const second = await startSecondHub(t, receiver, ON)
  await publish({ kind: 'phone.quality' })
  await second.deliver()
  await ana.patch(PATH, { answer: '410' })

  await publish({ kind: 'template.status' })
  await hub.stop()
  await second.deliver()

  const again = await second.person({ organizationId: ana.organizationId, role: 'owner' })
  const { inspector } = (await again.get(PATH)).body.data
  assert.deepEqual(listOutcomes(inspector), [
    ['template.status', 410],
    ['phone.quality', 200],
  ])
})

test('with INSPECTOR=off there are no inspectors, and those that were left are deleted', {
  rules: ['config.inspector-off'],
}, async (t) => {
  const { hub, receiver, ana, create } = await startInspecting(t)
  const { id } = await create()
  const off = await startSecondHub(t, receiver, { env: { INSPECTOR: 'off' } })
  const person = await off.person({ organizationId: ana.organizationId, role: 'owner' })

  const shown = await person.get(PATH)
  const created = await person.post(PATH)
  await off.context.inspectors.deleteExpired()

  assert.deepEqual(shown.body.data, { is_available: false, inspector: null })
  assert.deepEqual([created.status, created.body.error.details.reason], [404, 'inspector_off'])
  const left = await hub.sql`select 1 from webhook_endpoints where id = ${id}`
  assert.equal(left.length, 0)
})

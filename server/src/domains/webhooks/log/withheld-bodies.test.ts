import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import { startWebhooks } from '../test/fixture.ts'

const ECHO = 'thank you for: a secret text'

/** An endpoint with a delivery whose first response repeats the message, and whose second has no body. */
async function startEchoing(t: Parameters<typeof startWebhooks>[0]) {
  const fixture = await startWebhooks(t)
  const { hub, acme, receiver, endpoint, publish, only } = fixture
  const crm = await endpoint()
  receiver.answer(() => ({ status: 500, body: ECHO }))
  await publish({})
  await hub.deliver()
  receiver.answer(() => ({ status: 200, body: '' }))
  await hub.clock.advance('6 seconds')
  await hub.deliver()
  const delivery = await only(crm)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const path = `/api/v1/webhooks/${crm.id}/deliveries/${delivery.id}`
  return { ...fixture, ana, crm, delivery, path }
}

type Shown = { response_body_base64: string | null; response_body_withheld: boolean }

const toBodies = (attempts: Shown[]) =>
  attempts.map(({ response_body_base64, response_body_withheld }) => [response_body_base64, response_body_withheld])

const base64 = Buffer.from(ECHO).toString('base64')

test('a key with messages:read sees the response bodies of a delivery', {
  rules: ['delivery.bodies-need-messages-read'],
}, async (t) => {
  const { acme, path } = await startEchoing(t)

  const { status, body } = await acme.get(path)

  assert.equal(status, 200)
  assert.deepEqual(toBodies(body.data.attempts), [
    [base64, false],
    [null, false],
  ])
})

test('a response body is withheld from a key without messages:read', {
  rules: ['delivery.bodies-need-messages-read'],
}, async (t) => {
  const { hub, acme, path } = await startEchoing(t)
  const created = await acme.post('/api/v1/api-keys', { name: 'ops', scopes: ['webhooks:read', 'webhooks:write'] })

  const shown = await hub.anonymous.get(path, { headers: bearer(created.body.data.secret) })

  assert.equal(shown.status, 200)
  assert.deepEqual(toBodies(shown.body.data.attempts), [
    [null, true],
    [null, false],
  ])
  assert.ok(!shown.text.includes(base64) && !shown.text.includes(ECHO))
  assert.equal(shown.body.data.attempts[0].http_status, 500)
})

test('a person sees response bodies only by an audited look', {
  rules: ['delivery.session-reveals-bodies'],
}, async (t) => {
  const { acme, ana, crm, delivery, path } = await startEchoing(t)

  const shown = await ana.get(path)
  const revealed = await ana.post(`/console/webhooks/${crm.id}/deliveries/${delivery.id}/reveal`)

  assert.deepEqual(toBodies(shown.body.data.attempts), [
    [null, true],
    [null, false],
  ])
  assert.deepEqual(revealed.body.data.responses, [
    { number: 1, response_body_base64: base64 },
    { number: 2, response_body_base64: null },
  ])
  const { entries } = (await acme.get('/api/v1/audit-log?action=delivery.revealed')).body.data
  assert.equal(entries.length, 1)
  assert.deepEqual([entries[0].actor.id, entries[0].target.id], [ana.userId, delivery.id])
  assert.ok(!JSON.stringify(entries).includes(ECHO))
})

test("another organization's delivery cannot be revealed", {
  rules: ['delivery.session-reveals-bodies'],
}, async (t) => {
  const { hub, crm, delivery } = await startEchoing(t)
  const bob = await hub.person()

  const refused = await bob.post(`/console/webhooks/${crm.id}/deliveries/${delivery.id}/reveal`)

  assert.equal(refused.status, 404)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import { createWebhook, startWithDns, URL } from './test/webhooks.ts'

const FREE_ENDPOINTS = 5

test('the free plan allows five endpoints, and the refusal states the quota', {
  rules: ['billing.free-plan'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  for (let made = 0; made < FREE_ENDPOINTS; made++) await createWebhook(acme)

  const refused = await acme.post('/api/v1/webhooks', { name: 'one too many', url: URL })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'QUOTA_EXCEEDED')
  assert.partialDeepStrictEqual(refused.body.error.details, { quota: 'webhook_endpoints', limit: 5, used: 5 })
  assert.equal((await acme.get('/api/v1/webhooks')).body.data.webhooks.length, 5)
})

test("concurrent creations on several processes do not exceed the plan's quota", async (t) => {
  const [hub, other] = [await startWithDns(t), await startWithDns(t)]

  for (let round = 0; round < 3; round++) {
    const acme = await hub.organization()
    const elsewhere = other.anonymous.with(bearer(acme.key))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? acme : elsewhere).post('/api/v1/webhooks', { name: `n${i}`, url: URL }),
      ),
    )

    const counts = Object.groupBy(answers, ({ status }) => String(status))
    assert.deepEqual([counts['201']?.length, counts['403']?.length], [FREE_ENDPOINTS, 20 - FREE_ENDPOINTS])
    assert.equal((await acme.get('/api/v1/webhooks')).body.data.webhooks.length, FREE_ENDPOINTS)
  }
})

test('deleting an endpoint frees its quota at once, pausing or disabling it does not', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [first, second, third] = [await createWebhook(acme), await createWebhook(acme), await createWebhook(acme)]
  for (let made = 3; made < FREE_ENDPOINTS; made++) await createWebhook(acme)
  await acme.patch(`/api/v1/webhooks/${second.id}`, { status: 'paused' })
  await acme.patch(`/api/v1/webhooks/${third.id}`, { status: 'disabled' })

  const full = await acme.post('/api/v1/webhooks', { name: 'one too many', url: URL })
  await acme.delete(`/api/v1/webhooks/${first.id}`)
  const again = await acme.post('/api/v1/webhooks', { name: 'again', url: URL })
  const fullAgain = await acme.post('/api/v1/webhooks', { name: 'one too many', url: URL })

  assert.deepEqual([full.status, again.status, fullAgain.status], [403, 201, 403])
})

test("endpoints count against their own organization's quota only", async (t) => {
  const hub = await startWithDns(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  for (let made = 0; made < FREE_ENDPOINTS; made++) await createWebhook(acme)

  const created = await other.post('/api/v1/webhooks', { name: 'first', url: URL })

  assert.equal(created.status, 201)
})

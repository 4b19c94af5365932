import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import {
  newKey,
  previewAddons,
  readEntitlement,
  requestCheckout,
  STARTER,
  setAddons,
  startBilling,
} from '../test/fixture.ts'

/** Without any effect, with its whole effect and no answer, with an answer that nobody can read, or not now. */
const FAILURES = ['error', 'reset_after', 'garbled_after', 'throttle'] as const

/** What the hub asks of the provider on the way to each answer. */
const QUESTIONS: Record<string, readonly string[]> = {
  checkout: ['POST /v1/customers', 'GET /v1/subscriptions', 'GET /v1/prices', 'POST /v1/checkout/sessions'],
  addons: ['GET /v1/subscriptions', 'GET /v1/checkout/sessions', 'GET /v1/prices', 'POST /v1/subscriptions/'],
  preview: ['GET /v1/subscriptions', 'POST /v1/invoices/create_preview'],
}

const CALLS: Record<string, (owner: Client, key: string) => ReturnType<Client['post']>> = {
  checkout: (owner, key) => requestCheckout(owner, 'starter', key),
  addons: (owner, key) => setAddons(owner, { total: 2 }, key),
  preview: (owner) => previewAddons(owner, 2),
}

for (const [name, questions] of Object.entries(QUESTIONS)) {
  for (const question of questions) {
    test(`${name}: a provider that fails at ${question} in whatever way is 502, and then the same key succeeds once`, async (t) => {
      const fixture = await startBilling(t)
      const [method = '', path = ''] = question.split(' ')
      for (const failure of FAILURES) {
        const owner = name === 'checkout' ? await fixture.hub.organization() : await fixture.createSubscriber()
        const key = newKey()

        await fixture.fault(failure, path, { method, times: null })
        const failed = await CALLS[name]!(owner, key)
        await fixture.liftFaults()
        const again = await CALLS[name]!(owner, key)

        assert.equal(failed.status, 502, `${failure}: ${failed.text}`)
        assert.equal(failed.body.error.code, 'UPSTREAM_UNAVAILABLE')
        assert.ok(again.status < 300, `${failure}: ${again.text}`)
        const kept = async (kind: string) => (await fixture.listOwned(owner, kind)).length
        const once = { checkout: [1, 0], addons: [1, 2], preview: [1, 1] }[name]
        assert.deepEqual([await kept('checkout_sessions'), await kept('invoices')], once, failure)
        if (name === 'addons') assert.deepEqual(await readEntitlement(owner), { ...STARTER, addons: 2, channels: 7 })
      }
    })
  }
}

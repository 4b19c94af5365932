import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { paymentSettings, sandboxPayments } from './payment-settings.ts'

const STRIPE = { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

test('with real payments the keys are those of the environment, and the address is the provider’s own', {
  rules: ['D2-27'],
}, () => {
  const settings = paymentSettings(readConfig(STRIPE))

  assert.deepEqual(settings, { secretKey: 'sk_live_1', webhookSecret: 'whsec_1', url: undefined })
})

test('a double of the provider can be put in its place', { rules: ['D2-27'] }, () => {
  const settings = paymentSettings(readConfig({ ...STRIPE, STRIPE_URL: 'http://127.0.0.1:9999' }))

  assert.equal(settings?.url, 'http://127.0.0.1:9999/')
})

test('in the sandbox the provider is the simulator beside the hub, and with billing off there is none', () => {
  assert.equal(paymentSettings(readConfig({ PORT: '9000' }))?.url, 'http://127.0.0.1:9001')
  assert.equal(paymentSettings(readConfig({ BILLING: 'off' })), undefined)
})

test('the keys of a simulated provider are made once, are the installation’s own, and are for its owner alone', async (t) => {
  const [one, other] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'hubline-payments-'))))
  t.after(() => Promise.all([one, other].map((directory) => rm(directory ?? '', { recursive: true }))))

  const [first, again, stranger] = [one, one, other].map((directory = '') => sandboxPayments(directory))

  assert.deepEqual(again, first)
  assert.notDeepEqual(stranger, first)
  assert.match(first?.secretKey ?? '', /^sk_test_[0-9a-f]{48}$/)
  assert.match(first?.webhookSecret ?? '', /^whsec_[0-9a-f]{48}$/)
  assert.equal((await stat(join(one ?? '', 'sandbox-payments.json'))).mode & 0o777, 0o600)
})

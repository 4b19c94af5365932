import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { loadSandboxPayments, toPaymentSettings } from './payment-settings.ts'

import { toUpstreamSettings } from './upstream-settings.ts'

const STRIPE = { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

test('real payments use the keys of the environment and the URL of the provider', {
  rules: ['config.stripe-has-two-secrets'],
}, () => {
  const settings = toPaymentSettings(readConfig(STRIPE))

  assert.deepEqual(settings, { secretKey: 'sk_live_1', webhookSecret: 'whsec_1', url: undefined })
})

test('STRIPE_URL replaces the URL of the provider', { rules: ['config.stripe-has-two-secrets'] }, () => {
  const settings = toPaymentSettings(readConfig({ ...STRIPE, STRIPE_URL: 'http://127.0.0.1:9999' }))

  assert.equal(settings?.url, 'http://127.0.0.1:9999/')
})

test('the provider is the simulator in the sandbox, and absent with billing off', () => {
  assert.equal(toPaymentSettings(readConfig({ PORT: '9000' }))?.url, 'http://127.0.0.1:9001')
  assert.equal(toPaymentSettings(readConfig({ BILLING: 'off' })), undefined)
})

test('the keys of a simulated provider are created once per installation, readable only by its owner', async (t) => {
  const [one, other] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'hubline-payments-'))))
  t.after(() => Promise.all([one, other].map((directory) => rm(directory ?? '', { recursive: true }))))

  const [first, again, ofOther] = [one, one, other].map((directory = '') => loadSandboxPayments(directory))

  assert.deepEqual(again, first)
  assert.notDeepEqual(ofOther, first)
  assert.match(first?.secretKey ?? '', /^sk_test_[0-9a-f]{48}$/)
  assert.match(first?.webhookSecret ?? '', /^whsec_[0-9a-f]{48}$/)
  assert.equal((await stat(join(one ?? '', 'sandbox-payments.json'))).mode & 0o777, 0o600)
})

const APP = {
  UPSTREAM_URL: 'https://graph.facebook.com',
  UPSTREAM_APP_ID: '1234567890',
  UPSTREAM_APP_SECRET: 'secret',
  UPSTREAM_CONFIG_ID: '987654321',
  UPSTREAM_VERIFY_TOKEN: 'verify',
}

test('a real upstream uses the embedded sign-up with the ids of its app', () => {
  const settings = toUpstreamSettings(readConfig(APP))

  assert.equal(settings.isSandbox, false)
  assert.deepEqual(settings.signUp, {
    mode: 'embedded_signup',
    appId: '1234567890',
    configId: '987654321',
    graphVersion: 'v25.0',
    signupUrl: null,
  })
})

test('with a real upstream a hub serves requests for five seconds after the signal, unless DRAIN_SECONDS is set', {
  rules: ['process.drain-is-5-seconds-with-an-upstream'],
}, () => {
  const settings = [readConfig(APP), readConfig({ ...APP, DRAIN_SECONDS: '0' })].map(({ drainSeconds }) => drainSeconds)

  assert.deepEqual(settings, [5, 0])
})

test('without a real upstream the simulator is used, with one stored app per installation', {
  rules: ['config.sandbox-app-is-random'],
}, async (t) => {
  const [one, other] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'hubline-sandbox-'))))
  t.after(() => Promise.all([one, other].map((directory) => rm(directory ?? '', { recursive: true }))))
  const settingsIn = (DATA_DIR = '') => toUpstreamSettings(readConfig({ DATA_DIR, PORT: '9000' }))

  const [first, again, ofOther] = [settingsIn(one), settingsIn(one), settingsIn(other)]

  assert.equal(first.isSandbox, true)
  assert.equal(first.url, 'http://127.0.0.1:9001')
  assert.equal(first.signUp.mode, 'sandbox')
  assert.deepEqual(again, first)
  for (const value of ['appId', 'appSecret', 'verifyToken'] as const) {
    assert.match(first[value], /^\w{15,}$/, value)
    assert.notEqual(ofOther[value], first[value], value)
  }
})

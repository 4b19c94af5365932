import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { toUpstreamSettings } from './upstream-settings.ts'

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

test('without a real upstream the simulator is used, with one stored app per installation', {
  rules: ['D2-23'],
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

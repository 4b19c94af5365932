import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub } from '../../../test/hub.ts'

test('a new key is shown once, and its secret works', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['api_keys:read'] })

  assert.equal(created.status, 201)
  const { api_key, secret } = created.body.data
  assert.match(secret, /^hub_pk_[0-9A-Za-z]{49}$/)
  assert.equal(api_key.last4, secret.slice(-4))
  const list = await hub.anyone.get('/api/v1/api-keys', { headers: bearer(secret) })
  assert.equal(list.status, 200)
  assert.ok(!list.text.includes(secret))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'
import { CHANNEL_TOKEN_SCOPES } from '../../domains/auth/scopes.ts'
import { newId } from '../../kernel/ids.ts'
import { perMinute } from '../../kernel/rate-limit/limit.ts'
import type { Extension } from './http.ts'

/** Routes of a channel: one for any of its tokens, one that needs a scope, and one for API keys only. */
const CHANNEL_ROUTES: Extension = {
  access: {
    'GET /api/v1/channels/:id/thing': { scope: 'channels:read', channelToken: null },
    'POST /api/v1/channels/:id/thing': { scope: 'messages:send', channelToken: 'messages:send' },
    'DELETE /api/v1/channels/:id/thing': { scope: 'channels:write' },
  },
  limit: perMinute('test', 1000),
  routes: async (app) => {
    const hidden = { schema: { hide: true } }
    const answer = async () => ({ data: {} })
    app.get('/channels/:id/thing', hidden, answer)
    app.post('/channels/:id/thing', hidden, answer)
    app.delete('/channels/:id/thing', hidden, answer)
  },
}

test('a channel token can access its own channel, with the id in any case', async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const channelId = newId()
  const token = await hub.channelToken(organizationId, channelId, CHANNEL_TOKEN_SCOPES)

  const read = await token.get(`/api/v1/channels/${channelId}/thing`)
  const write = await token.post(`/api/v1/channels/${channelId}/thing`)
  const upperCase = await token.get(`/api/v1/channels/${channelId.toUpperCase()}/thing`)

  assert.deepEqual([read.status, write.status, upperCase.status], [200, 200, 200])
})

test('another channel is 404 for a channel token, even one of the same organization', {
  rules: ['AUTH-04', 'D5-24', 'ERR-20'],
}, async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const [own, sibling] = [newId(), newId()]
  const token = await hub.channelToken(organizationId, own, CHANNEL_TOKEN_SCOPES)
  await hub.channelToken(organizationId, sibling, CHANNEL_TOKEN_SCOPES)

  const answers = await Promise.all([
    token.get(`/api/v1/channels/${sibling}/thing`),
    token.post(`/api/v1/channels/${sibling}/thing`),
    token.get(`/api/v1/channels/${newId()}/thing`),
  ])

  for (const { status, body } of answers) {
    assert.equal(status, 404)
    assert.equal(body.error.message, 'Channel not found.')
  }
})

test('routes without a rule for channel tokens refuse them, on their own channel too', {
  rules: ['D4-10', 'D5-23'],
}, async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const channelId = newId()
  const token = await hub.channelToken(organizationId, channelId, CHANNEL_TOKEN_SCOPES)

  const answers = await Promise.all([
    token.get('/api/v1/api-keys'),
    token.post('/api/v1/api-keys', { name: 'ci', scopes: ['messages:send'] }),
    token.get('/api/v1/audit-log'),
    token.delete(`/api/v1/channels/${channelId}/thing`),
    token.delete(`/api/v1/channels/${newId()}/thing`),
  ])

  for (const { status, body } of answers) {
    assert.equal(status, 403)
    assert.equal(body.error.code, 'INSUFFICIENT_SCOPE')
  }
})

test('a channel token with fewer scopes reads its channel, and writes only within its scopes', {
  rules: ['D5-46'],
}, async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const channelId = newId()
  const token = await hub.channelToken(organizationId, channelId, ['media:write'])

  const read = await token.get(`/api/v1/channels/${channelId}/thing`)
  const write = await token.post(`/api/v1/channels/${channelId}/thing`)

  assert.equal(read.status, 200)
  assert.equal(write.status, 403)
  assert.deepEqual(write.body.error.details, { scope: 'messages:send' })
})

test('an API key needs the scope of the route even if a channel token needs none', async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const acme = await hub.organization(['messages:send'])

  const read = await acme.get(`/api/v1/channels/${newId()}/thing`)
  const write = await acme.post(`/api/v1/channels/${newId()}/thing`)

  assert.equal(read.status, 403)
  assert.equal(write.status, 200)
})

test('a revoked channel token is refused on the next request', async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const channelId = newId()
  const token = await hub.channelToken(organizationId, channelId, CHANNEL_TOKEN_SCOPES)
  const before = await token.get(`/api/v1/channels/${channelId}/thing`)

  await hub.sql.begin((tx) => hub.context.auth.revoke(tx, { organizationId, kind: 'channel_token', id: token.id }))
  const after = await token.get(`/api/v1/channels/${channelId}/thing`)

  assert.deepEqual([before.status, after.status], [200, 401])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'
import { CHANNEL_TOKEN_SCOPES } from '../../domains/auth/scopes.ts'
import { newId } from '../../kernel/ids.ts'
import { perMinute } from '../../kernel/rate-limit/limit.ts'
import type { Extension } from './http.ts'

/** Routes of a channel: two that take its token, and one for API keys only. */
const CHANNEL_ROUTES: Extension = {
  access: {
    'GET /api/v1/channels/:id/thing': { scope: 'channels:read', channelToken: true },
    'POST /api/v1/channels/:id/thing': { scope: 'messages:send', channelToken: true },
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
  rules: [
    'token.reaches-its-own-channel-only',
    'token.foreign-channel-is-404-before-scopes',
    'error.absent-and-foreign-are-404',
  ],
}, async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const [own, sibling] = [newId(), newId()]
  const token = await hub.channelToken(organizationId, own, CHANNEL_TOKEN_SCOPES)
  const narrow = await hub.channelToken(organizationId, own, ['media:write'])
  await hub.channelToken(organizationId, sibling, CHANNEL_TOKEN_SCOPES)

  const answers = await Promise.all([
    token.get(`/api/v1/channels/${sibling}/thing`),
    token.post(`/api/v1/channels/${sibling}/thing`),
    token.get(`/api/v1/channels/${newId()}/thing`),
    narrow.get(`/api/v1/channels/${sibling}/thing`),
  ])

  for (const { status, body } of answers) {
    assert.equal(status, 404)
    assert.equal(body.error.message, 'Channel not found.')
  }
})

test('routes without a rule for channel tokens refuse them, on their own channel too', {
  rules: ['auth.missing-scope-is-403', 'token.elsewhere-is-403'],
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

test('a channel token needs the scope of each route, for reading too', {
  rules: ['token.needs-the-scope-of-the-route'],
}, async (t) => {
  const hub = await startHub(t, { extension: CHANNEL_ROUTES })
  const { organizationId } = await hub.organization()
  const channelId = newId()
  const reader = await hub.channelToken(organizationId, channelId, ['channels:read'])
  const sender = await hub.channelToken(organizationId, channelId, ['messages:send'])
  const path = `/api/v1/channels/${channelId}/thing`

  const refused = [await reader.post(path), await sender.get(path)]

  assert.deepEqual([(await reader.get(path)).status, (await sender.post(path)).status], [200, 200])
  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [403, 'INSUFFICIENT_SCOPE'])
  assert.deepEqual(
    refused.map(({ body }) => body.error.details.scope),
    ['messages:send', 'channels:read'],
  )
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

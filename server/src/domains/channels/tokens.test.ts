import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel, listAuditEntries, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from '../../../test/stored-secrets.ts'
import { CHANNEL_TOKEN_SCOPES, type Scope } from '../auth/scopes.ts'

function withToken(hub: TestHub, token: string) {
  return hub.anonymous.with(bearer(token))
}

async function listTokenScopes(hub: TestHub, channelId: string): Promise<Scope[][]> {
  const rows = await hub.sql<{ scopes: Scope[] }[]>`
    select scopes from credentials where channel_id = ${channelId} and revoked_at is null`
  return rows.map(({ scopes }) => scopes)
}

test('a channel token reads its own channel and its diagnostics, and another channel is 404', {
  rules: ['AUTH-04', 'D5-18', 'D5-19'],
}, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const [own, other] = [await createChannel(acme), await createChannel(acme)]
  const holder = withToken(hub, own.token)

  const read = await holder.get(`/api/v1/channels/${own.id}`)
  const diagnosed = await holder.get(`/api/v1/channels/${own.id}/diagnostics`)
  const foreign = await holder.get(`/api/v1/channels/${other.id}`)
  const foreignDiagnosed = await holder.get(`/api/v1/channels/${other.id}/diagnostics`)

  assert.equal(read.body.data.channel.id, own.id)
  assert.equal(diagnosed.status, 200)
  assert.deepEqual([foreign.status, foreignDiagnosed.status], [404, 404])
})

test('a channel token has all five scopes, and the database stores only its hash', {
  rules: ['CHE-18', 'D5-03', 'D5-39'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const { id, token } = await createChannel(acme)

  assert.deepEqual(await listTokenScopes(hub, id), [CHANNEL_TOKEN_SCOPES])
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(token)) assert.ok(!stored.includes(form), form)
})

test('the token of a new channel has no scope that the creating key lacks', {
  rules: ['D5-11', 'D5-95'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:write', 'messages:send'])

  const { id } = await createChannel(acme)

  assert.deepEqual(await listTokenScopes(hub, id), [['messages:send']])
})

test('a regenerated token revokes the old one at once in every process', {
  rules: ['AUTH-14', 'CHE-16', 'CHE-17', 'D3-20', 'D6-35'],
}, async (t) => {
  const [hub, other] = [await startHub(t), await startHub(t)]
  const acme = await hub.organization()
  const { id, token: old } = await createChannel(acme)
  const path = `/api/v1/channels/${id}`
  assert.equal((await withToken(other, old).get(path)).status, 200)

  const regenerated = await acme.post(`${path}/regenerate-token`)

  assert.equal(regenerated.status, 201)
  const { token, warning } = regenerated.body.data
  assert.match(token, /^hub_ch_[0-9A-Za-z]{49}$/)
  assert.match(warning, /cannot be shown again/)
  const statuses = await Promise.all(
    [hub, other].map(async (process) => (await withToken(process, old).get(path)).status),
  )
  assert.deepEqual(statuses, [401, 401])
  assert.equal((await withToken(other, token).get(path)).status, 200)
  assert.deepEqual(await listTokenScopes(hub, id), [CHANNEL_TOKEN_SCOPES])
  assert.equal((await listAuditEntries(acme, id)).at(-1)?.action, 'channel.token_regenerated')
})

test('a regenerated token can have fewer scopes', { rules: ['D5-39', 'D5-46', 'D6-35'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  const { token } = (await acme.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['media:write'] })).body.data

  assert.deepEqual(await listTokenScopes(hub, id), [['media:write']])
  const refused = await withToken(hub, token).post(`/api/v1/channels/${id}/templates`, {})
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body.error.details, { scope: 'templates:write' })
})

const INVALID_SCOPES: [string, unknown][] = [
  ['no scope', { scopes: [] }],
  ['a scope that no channel token has', { scopes: ['messages:send', 'channels:write'] }],
  ['an unknown scope', { scopes: ['everything'] }],
  ['a scope twice', { scopes: ['messages:send', 'messages:send'] }],
  ['null', { scopes: null }],
  ['an unknown property', { scope: 'messages:send' }],
]

test('a new token with invalid scopes is refused, and the old one still works', { rules: ['D5-47'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id, token } = await createChannel(acme)

  for (const [what, body] of INVALID_SCOPES) {
    const refused = await acme.post(`/api/v1/channels/${id}/regenerate-token`, body)

    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  }
  assert.equal((await withToken(hub, token).get(`/api/v1/channels/${id}`)).status, 200)
})

test('regenerating a token with a scope that the key lacks is 403, and the old one still works', {
  rules: ['D5-95'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:write', 'messages:send'])
  const { id, token } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/regenerate-token`

  const refused = await acme.post(path, { scopes: ['messages:send', 'media:write'] })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  assert.equal((await withToken(hub, token).get(`/api/v1/channels/${id}`)).status, 200)
  await acme.post(path)
  assert.deepEqual(await listTokenScopes(hub, id), [['messages:send']])
})

test('of eight concurrent regenerations one token works', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => acme.post(`/api/v1/channels/${id}/regenerate-token`)),
  )

  const statuses = await Promise.all(
    answers.map(async ({ body }) => (await withToken(hub, body.data.token).get(`/api/v1/channels/${id}`)).status),
  )
  assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(401)])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel, listAuditEntries, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from '../../../test/stored-secrets.ts'
import { CHANNEL_TOKEN_SCOPES, type Scope } from '../auth/scopes.ts'

function holderOf(hub: TestHub, token: string) {
  return hub.anonymous.with(bearer(token))
}

async function scopesOf(hub: TestHub, channelId: string): Promise<Scope[][]> {
  const rows = await hub.sql<{ scopes: Scope[] }[]>`
    select scopes from credentials where channel_id = ${channelId} and revoked_at is null`
  return rows.map(({ scopes }) => scopes)
}

test('a channel token reads its own channel and its diagnostics, and no other channel exists for it', {
  rules: ['AUTH-04', 'D5-18', 'D5-19'],
}, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const [own, other] = [await createChannel(acme), await createChannel(acme)]
  const holder = holderOf(hub, own.token)

  const read = await holder.get(`/api/v1/channels/${own.id}`)
  const diagnosed = await holder.get(`/api/v1/channels/${own.id}/diagnostics`)
  const foreign = await holder.get(`/api/v1/channels/${other.id}`)
  const foreignDiagnosed = await holder.get(`/api/v1/channels/${other.id}/diagnostics`)

  assert.equal(read.body.data.channel.id, own.id)
  assert.equal(diagnosed.status, 200)
  assert.deepEqual([foreign.status, foreignDiagnosed.status], [404, 404])
})

const KEYS_ONLY: [string, string, unknown?][] = [
  ['GET', ''],
  ['POST', '', { name: 'x' }],
  ['PATCH', '/:id', { name: 'x' }],
  ['DELETE', '/:id'],
  ['POST', '/:id/connect-link'],
  ['POST', '/:id/regenerate-token'],
  ['POST', '/:id/connection', { access_token: 'x', waba_id: '1', phone_number_id: '2' }],
]

for (const [method, path, body] of KEYS_ONLY) {
  test(`a channel token cannot ${method} /channels${path}, not even of its own channel`, async (t) => {
    const hub = await startHub(t)
    const acme = await hub.organization()
    const { id, token } = await createChannel(acme)

    const refused = await holderOf(hub, token).send(method, `/api/v1/channels${path.replace(':id', id)}`, { body })

    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
    assert.equal((await acme.get(`/api/v1/channels/${id}`)).body.data.channel.name, 'Padaria')
  })
}

test('a channel token holds all five scopes, and the hub keeps only its hash', {
  rules: ['CHE-18', 'D5-03', 'D5-39'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const { id, token } = await createChannel(acme)

  assert.deepEqual(await scopesOf(hub, id), [CHANNEL_TOKEN_SCOPES])
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(token)) assert.ok(!stored.includes(form), form)
})

test('a key puts no scope that it lacks into the token of a channel that it creates', {
  rules: ['D5-11', 'D5-95'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:write', 'messages:send'])

  const { id } = await createChannel(acme)

  assert.deepEqual(await scopesOf(hub, id), [['messages:send']])
})

test('a new token ends the old one at once, in every process', {
  rules: ['AUTH-14', 'CHE-16', 'CHE-17', 'D3-20', 'D6-35'],
}, async (t) => {
  const [hub, other] = [await startHub(t), await startHub(t)]
  const acme = await hub.organization()
  const { id, token: old } = await createChannel(acme)
  const path = `/api/v1/channels/${id}`
  assert.equal((await holderOf(other, old).get(path)).status, 200)

  const regenerated = await acme.post(`${path}/regenerate-token`)

  assert.equal(regenerated.status, 201)
  const { token, warning } = regenerated.body.data
  assert.match(token, /^hub_ch_[0-9A-Za-z]{49}$/)
  assert.match(warning, /cannot be shown again/)
  const statuses = await Promise.all([hub, other].map(async (any) => (await holderOf(any, old).get(path)).status))
  assert.deepEqual(statuses, [401, 401])
  assert.equal((await holderOf(other, token).get(path)).status, 200)
  assert.deepEqual(await scopesOf(hub, id), [CHANNEL_TOKEN_SCOPES])
  assert.equal((await listAuditEntries(acme, id)).at(-1)?.action, 'channel.token_regenerated')
})

test('a new token can hold fewer scopes', { rules: ['D5-39', 'D5-46', 'D6-35'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  const { token } = (await acme.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['media:write'] })).body.data

  assert.deepEqual(await scopesOf(hub, id), [['media:write']])
  const refused = await holderOf(hub, token).post(`/api/v1/channels/${id}/templates`, {})
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body.error.details, { scope: 'templates:write' })
})

const BAD_SCOPES: [string, unknown][] = [
  ['no scope', { scopes: [] }],
  ['a scope that no channel token has', { scopes: ['messages:send', 'channels:write'] }],
  ['a scope that does not exist', { scopes: ['everything'] }],
  ['a scope twice', { scopes: ['messages:send', 'messages:send'] }],
  ['null', { scopes: null }],
  ['an unknown property', { scope: 'messages:send' }],
]

for (const [what, body] of BAD_SCOPES) {
  test(`a new token with ${what} is refused, and the old one goes on working`, { rules: ['D5-47'] }, async (t) => {
    const hub = await startHub(t)
    const acme = await hub.organization()
    const { id, token } = await createChannel(acme)

    const refused = await acme.post(`/api/v1/channels/${id}/regenerate-token`, body)

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
    assert.equal((await holderOf(hub, token).get(`/api/v1/channels/${id}`)).status, 200)
  })
}

test('a key cannot regenerate a token with a scope that it lacks, and the old one goes on working', {
  rules: ['D5-95'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:write', 'messages:send'])
  const { id, token } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/regenerate-token`

  const refused = await acme.post(path, { scopes: ['messages:send', 'media:write'] })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  assert.equal((await holderOf(hub, token).get(`/api/v1/channels/${id}`)).status, 200)
  await acme.post(path)
  assert.deepEqual(await scopesOf(hub, id), [['messages:send']])
})

test('of many new tokens asked for at once one works', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => acme.post(`/api/v1/channels/${id}/regenerate-token`)),
  )

  const statuses = await Promise.all(
    answers.map(async ({ body }) => (await holderOf(hub, body.data.token).get(`/api/v1/channels/${id}`)).status),
  )
  assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(401)])
})

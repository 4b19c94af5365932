import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel, listAuditEntries, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from '../../../test/stored-secrets.ts'
import { newId } from '../../kernel/ids.ts'
import { NEW_TOKEN_SCOPES, ROLES, SCOPES, type Scope } from '../auth/scopes.ts'

const MIGRATION = join(import.meta.dirname, '../../../migrations/0011-channel-token-scopes.sql')

function withToken(hub: TestHub, token: string) {
  return hub.anonymous.with(bearer(token))
}

async function listTokenScopes(hub: TestHub, channelId: string): Promise<Scope[][]> {
  const rows = await hub.sql<{ scopes: Scope[] }[]>`
    select scopes from credentials where channel_id = ${channelId} and revoked_at is null`
  return rows.map(({ scopes }) => scopes)
}

test('a channel token reads its own channel and its diagnostics, and another channel is 404', {
  rules: ['token.reaches-its-own-channel-only', 'token.reads-its-channel'],
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

test('a channel token of a creator with every scope has the eight of a new token', {
  rules: [
    'auth.credentials-are-stored-as-hashes',
    'token.has-scopes-out-of-nine',
    'token.number-write-is-given-by-name',
  ],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const { id, token } = await createChannel(acme)

  assert.deepEqual(await listTokenScopes(hub, id), [NEW_TOKEN_SCOPES])
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(token)) assert.ok(!stored.includes(form), form)
})

test('the token of a new channel has no scope that the creating key lacks', {
  rules: ['auth.no-credential-grants-what-it-lacks', 'token.new-one-has-the-creators-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:write', 'messages:send'])

  const { id } = await createChannel(acme)

  assert.deepEqual(await listTokenScopes(hub, id), [['messages:send']])
})

test('a regenerated token revokes the old one at once in every process', {
  rules: ['token.is-shown-once', 'token.regeneration-replaces-the-token', 'api.absent-body-counts-as-empty'],
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
  assert.deepEqual(await listTokenScopes(hub, id), [NEW_TOKEN_SCOPES])
  assert.equal((await listAuditEntries(acme, id)).at(-1)?.action, 'channel.token_regenerated')
})

test('the audit log tells the old and new scopes of a regenerated token, and nothing of the tokens', {
  rules: ['audit.secrets-are-redacted'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id, token: old } = await createChannel(acme)

  const regenerated = await acme.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['messages:send'] })

  const entry = (await listAuditEntries(acme, id)).at(-1)
  assert.deepEqual(entry?.details, {
    scopes: ['messages:send'],
    changes: {
      token: { from: null, to: null, redacted: true },
      scopes: { from: NEW_TOKEN_SCOPES, to: ['messages:send'] },
    },
  })
  const text = JSON.stringify(await listAuditEntries(acme, id))
  for (const token of [old, regenerated.body.data.token]) assert.ok(!text.includes(token))
})

test('a regenerated token is in no other answer, and the database stores only its hash', {
  rules: ['token.is-shown-once'],
}, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}`

  const { token } = (await acme.post(`${path}/regenerate-token`)).body.data
  const others = [
    await acme.get(path),
    await acme.get('/api/v1/channels'),
    await withToken(hub, token).get(path),
    await acme.patch(path, { name: 'new' }),
    await acme.get(`${path}/diagnostics`),
    await acme.post(`${path}/connect-link`),
    await acme.get('/api/v1/audit-log'),
    await acme.post(`${path}/regenerate-token`),
    await acme.delete(path),
  ]

  const stored = await dumpDatabase(hub.sql)
  for (const { status, text } of others) assert.ok(status < 300 && !text.includes(token), text)
  for (const form of listEncodings(token)) assert.ok(!stored.includes(form), form)
})

test('a regenerated token can have fewer scopes', {
  rules: [
    'token.has-scopes-out-of-nine',
    'token.needs-the-scope-of-the-route',
    'token.regeneration-replaces-the-token',
  ],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  const { token } = (await acme.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['media:write'] })).body.data

  assert.deepEqual(await listTokenScopes(hub, id), [['media:write']])
  const refused = await withToken(hub, token).post(`/api/v1/channels/${id}/templates`, {})
  assert.equal(refused.status, 403)
  assert.partialDeepStrictEqual(refused.body.error.details, { scope: 'templates:write' })
})

test('a token has number:write only if it was regenerated with it by name, and then keeps it', {
  rules: ['token.number-write-is-given-by-name', 'token.regeneration-keeps-or-sets-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/regenerate-token`

  const renewed = await acme.post(path)
  const before = await listTokenScopes(hub, id)
  const named = await acme.post(path, { scopes: ['messages:send', 'number:write'] })
  const kept = await acme.post(path)

  assert.deepEqual([renewed.status, named.status, kept.status], [201, 201, 201])
  assert.deepEqual(before, [NEW_TOKEN_SCOPES])
  assert.deepEqual(await listTokenScopes(hub, id), [['messages:send', 'number:write']])
})

test('a key without number:write, such as one with all scopes from before, gives it to no token and no key', {
  rules: ['member.number-write-needs-developer'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const former = SCOPES.filter((scope) => scope !== 'number:write')
  const older = withToken(
    hub,
    (await acme.post('/api/v1/api-keys', { name: 'older', scopes: former })).body.data.secret,
  )
  const { id, token } = await createChannel(older)
  const path = `/api/v1/channels/${id}/regenerate-token`

  const refused = [
    await older.post(path, { scopes: ['messages:send', 'number:write'] }),
    await older.post('/api/v1/api-keys', { name: 'wider', scopes: ['number:write'] }),
  ]
  const stillValid = await withToken(hub, token).get(`/api/v1/channels/${id}`)
  await acme.post(path, { scopes: ['number:write'] })
  refused.push(await older.post(path))

  for (const { status, body } of refused) {
    assert.deepEqual([status, body.error.code], [403, 'INSUFFICIENT_SCOPE'])
    assert.partialDeepStrictEqual(body.error.details, { scope: 'number:write' })
  }
  assert.equal(stillValid.status, 200)
})

for (const role of ROLES) {
  const isHolder = role !== 'viewer'
  test(`a person with the role ${role} ${isHolder ? 'gives' : 'cannot give'} number:write to a channel token`, {
    rules: ['member.number-write-needs-developer'],
  }, async (t) => {
    const hub = await startHub(t)
    const acme = await hub.organization()
    const { id } = await createChannel(acme)
    const person = await hub.person({ organizationId: acme.organizationId, role })

    const renewed = await person.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['number:write'] })

    assert.equal(renewed.status, isHolder ? 201 : 403)
  })
}

const INVALID_SCOPES: [string, unknown][] = [
  ['no scope', { scopes: [] }],
  ['a scope that no channel token has', { scopes: ['messages:send', 'channels:write'] }],
  ['an unknown scope', { scopes: ['everything'] }],
  ['a scope twice', { scopes: ['messages:send', 'messages:send'] }],
  ['null', { scopes: null }],
  ['an unknown property', { scope: 'messages:send' }],
]

test('a new token with invalid scopes is refused, and the old one still works', {
  rules: ['token.regeneration-without-scopes-is-400'],
}, async (t) => {
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

test('regenerating a token with a scope that the key lacks is 403 with its name, and the old one still works', {
  rules: ['token.new-one-has-the-creators-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:read', 'channels:write', 'messages:send'])
  const { id, token } = await createChannel(acme)

  const refused = await acme.post(`/api/v1/channels/${id}/regenerate-token`, {
    scopes: ['messages:send', 'media:write'],
  })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  assert.match(refused.body.error.message, /media:write/)
  assert.partialDeepStrictEqual(refused.body.error.details, { scope: 'media:write' })
  assert.equal((await withToken(hub, token).get(`/api/v1/channels/${id}`)).status, 200)
})

test('a token that is regenerated without scopes keeps those of the token that it replaces', {
  rules: ['token.regeneration-keeps-or-sets-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/regenerate-token`
  await acme.post(path, { scopes: ['messages:send', 'templates:read'] })

  for (const body of [undefined, {}]) {
    const renewed = await acme.post(path, body)

    assert.equal(renewed.status, 201)
    assert.deepEqual(await listTokenScopes(hub, id), [['messages:send', 'templates:read']])
  }
})

test('regenerating without scopes is 403 for a key that lacks one of the old token, which still works', {
  rules: ['token.new-one-has-the-creators-scopes', 'token.regeneration-keeps-or-sets-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id, token } = await createChannel(acme)
  const narrow = await acme.post('/api/v1/api-keys', { name: 'narrow', scopes: ['channels:read', 'channels:write'] })

  const refused = await withToken(hub, narrow.body.data.secret).post(`/api/v1/channels/${id}/regenerate-token`)

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  assert.partialDeepStrictEqual(refused.body.error.details, { scope: 'messages:read' })
  assert.equal((await withToken(hub, token).get(`/api/v1/channels/${id}/messages`)).status, 200)
})

test('regenerating the token of an unknown channel is 404, with scopes that the key lacks too', {
  rules: ['token.foreign-channel-is-404-before-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['channels:write'])
  const foreign = await createChannel(await hub.organization())

  for (const id of [newId(), foreign.id]) {
    const answer = await acme.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['messages:send'] })

    assert.equal(answer.status, 404)
  }
})

test('a revoked token is refused at once, a repeat changes nothing, and a new token has the same scopes', {
  rules: ['token.revocation-leaves-no-token'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const renewed = await acme.post(`/api/v1/channels/${id}/regenerate-token`, { scopes: ['channels:read'] })
  const holder = withToken(hub, renewed.body.data.token)
  const before = await holder.get(`/api/v1/channels/${id}`)

  const revoked = await acme.post(`/api/v1/channels/${id}/revoke-token`)
  const after = await holder.get(`/api/v1/channels/${id}`)
  const repeated = await acme.post(`/api/v1/channels/${id}/revoke-token`)

  assert.deepEqual([before.status, revoked.status, after.status, repeated.status], [200, 200, 401, 200])
  assert.deepEqual(revoked.body, { data: { revoked: true } })
  assert.deepEqual(repeated.body, revoked.body)
  assert.deepEqual(await listTokenScopes(hub, id), [])
  const entries = (await listAuditEntries(acme, id)).filter(({ action }) => action === 'channel.token_revoked')
  assert.equal(entries.length, 1)
  await acme.post(`/api/v1/channels/${id}/regenerate-token`)
  assert.deepEqual(await listTokenScopes(hub, id), [['channels:read']])
})

test('one token of eight concurrent regenerations works', async (t) => {
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

test('the migration lets the tokens that exist read their channel', {
  rules: ['token.migration-adds-reading-scopes'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const token = await hub.channelToken(acme.organizationId, id, ['messages:send'])
  const readAll = () => Promise.all(['', '/messages'].map((path) => token.get(`/api/v1/channels/${id}${path}`)))
  const before = await readAll()

  await hub.sql.unsafe(await readFile(MIGRATION, 'utf8'))
  const after = await readAll()

  assert.deepEqual(
    [...before, ...after].map(({ status }) => status),
    [403, 403, 200, 200],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { contend } from '../../../test/lock-contention.ts'
import { dumpDatabase, listEncodings } from '../../../test/stored-secrets.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { rows } from '../../kernel/db/rows.ts'
import { newId } from '../../kernel/ids.ts'

const FIELDS = [
  'created_at',
  'expires_at',
  'id',
  'last4',
  'last_used_at',
  'name',
  'prefix',
  'revoked_at',
  'scopes',
  'status',
]
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test("a new key's secret is shown once, and works", {
  rules: ['auth.credential-is-a-bearer', 'key.begins-with-hub-pk', 'key.creation-returns-key-and-secret'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['api_keys:read'] })

  assert.equal(created.status, 201)
  const { api_key, secret, warning } = created.body.data
  assert.match(secret, /^hub_pk_[0-9A-Za-z]{49}$/)
  assert.match(warning, /cannot be shown again/)
  assert.equal(api_key.last4, secret.slice(-4))
  const list = await hub.anonymous.get('/api/v1/api-keys', { headers: bearer(secret) })
  assert.equal(list.status, 200)
  assert.ok(!list.text.includes(secret))
})

test('a created key has every field of the record', {
  rules: ['api.timestamps-are-utc', 'key.creation-returns-key-and-secret', 'key.secret-is-shown-once'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const expiresAt = new Date(hub.clock.now().getTime() + 3_600_000).toISOString()

  const created = await acme.post('/api/v1/api-keys', {
    name: 'ci',
    scopes: ['messages:send', 'channels:read'],
    expires_at: expiresAt,
  })

  const { api_key } = created.body.data
  assert.deepEqual(Object.keys(api_key).sort(), FIELDS)
  assert.equal(api_key.name, 'ci')
  assert.equal(api_key.prefix, 'hub_pk_')
  assert.deepEqual(api_key.scopes, ['messages:send', 'channels:read'])
  assert.equal(api_key.status, 'active')
  assert.equal(api_key.expires_at, expiresAt)
  assert.match(api_key.created_at, TIMESTAMP)
  assert.equal(api_key.last_used_at, null)
  assert.equal(api_key.revoked_at, null)
  const list = await acme.get('/api/v1/api-keys')
  assert.deepEqual(
    list.body.data.api_keys.find(({ id }: { id: string }) => id === api_key.id),
    api_key,
  )
})

test("the list has the organization's own keys with their status, newest first", {
  rules: ['key.secret-is-shown-once', 'api.success-is-one-data-member', 'key.list-shows-the-organizations-keys'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const active = await acme.post('/api/v1/api-keys', { name: 'active', scopes: ['audit:read'], expires_at: null })
  const inAnHour = new Date(hub.clock.now().getTime() + 3_600_000).toISOString()
  await acme.post('/api/v1/api-keys', { name: 'expired', scopes: ['audit:read'], expires_at: inAnHour })
  const revoked = await acme.post('/api/v1/api-keys', { name: 'revoked', scopes: ['audit:read'], expires_at: inAnHour })
  await acme.post(`/api/v1/api-keys/${revoked.body.data.api_key.id}/revoke`)
  await other.post('/api/v1/api-keys', { name: 'foreign', scopes: ['audit:read'] })

  await hub.clock.advance('1 hour')
  const list = await acme.get('/api/v1/api-keys')

  assert.equal(list.status, 200)
  const keys = list.body.data.api_keys as { name: string; status: string }[]
  assert.deepEqual(Object.fromEntries(keys.map((key) => [key.name, key.status])), {
    revoked: 'revoked',
    expired: 'expired',
    active: 'active',
    'test key': 'active',
  })
  assert.ok(keys.every((key) => assert.deepEqual(Object.keys(key).sort(), FIELDS) === undefined))
  const ids = keys.map((key) => (key as unknown as { id: string }).id)
  assert.deepEqual(ids, ids.toSorted().reverse())
  assert.ok(!list.text.includes(active.body.data.secret))
})

test('creating and revoking a key are recorded in the audit log without the secret', {
  rules: ['audit.lists-with-filters'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  const { api_key, secret } = created.body.data
  const revoked = await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)

  const log = await acme.get(`/api/v1/audit-log?target_id=${api_key.id}`)
  const [second, first] = log.body.data.entries
  assert.equal(log.body.data.entries.length, 2)
  assert.equal(first.action, 'api_key.created')
  assert.deepEqual(first.details, { name: 'ci', scopes: ['audit:read'], expires_at: null })
  assert.equal(second.action, 'api_key.revoked')
  for (const [entry, answer] of [
    [first, created],
    [second, revoked],
  ] as const) {
    assert.deepEqual(entry.actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
    assert.deepEqual(entry.target, { type: 'api_key', id: api_key.id })
    assert.equal(entry.request_id, answer.headers.get('x-request-id'))
    assert.equal(entry.ip, '127.0.0.1')
  }
  assert.ok(!log.text.includes(secret.slice('hub_pk_'.length)))
})

test("a repeated revocation returns the first one's time and is recorded once", {
  rules: ['api.success-is-one-data-member', 'key.revoked-key-is-refused'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  const first = await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)

  await hub.clock.advance('1 hour')
  const again = await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`, {})

  assert.equal(first.status, 200)
  assert.equal(first.body.data.api_key.status, 'revoked')
  assert.match(first.body.data.api_key.revoked_at, TIMESTAMP)
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, first.body)
  const log = await acme.get('/api/v1/audit-log?action=api_key.revoked')
  assert.equal(log.body.data.entries.length, 1)
})

test('twenty concurrent revocations of one key all succeed, and one is recorded', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data

  const lock = (tx: Tx) => tx`select 1 from credentials where id = ${api_key.id} for update`
  const work = () => Promise.all(Array.from({ length: 20 }, () => acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)))
  const answers = await contend(lock, { waiting: 5, work })

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.data.api_key.revoked_at)).size, 1)
  const log = await acme.get('/api/v1/audit-log?action=api_key.revoked')
  assert.equal(log.body.data.entries.length, 1)
})

const INVALID_BODIES: Record<string, unknown> = {
  'no name': { scopes: ['audit:read'] },
  'an empty name': { name: '', scopes: ['audit:read'] },
  'a name of 101 characters': { name: 'x'.repeat(101), scopes: ['audit:read'] },
  'a number as name': { name: 7, scopes: ['audit:read'] },
  'null as name': { name: null, scopes: ['audit:read'] },
  'no scopes': { name: 'ci' },
  'an empty list of scopes': { name: 'ci', scopes: [] },
  'a string as scopes': { name: 'ci', scopes: 'audit:read' },
  'an unknown scope': { name: 'ci', scopes: ['audit:read', 'audit:write'] },
  'a scope twice': { name: 'ci', scopes: ['audit:read', 'audit:read'] },
  'an expiry in the past': { name: 'ci', scopes: ['audit:read'], expires_at: '2020-01-01T00:00:00.000Z' },
  'an expiry in a past leap second': { name: 'ci', scopes: ['audit:read'], expires_at: '2016-12-31T23:59:60Z' },
  'an expiry without a time zone': { name: 'ci', scopes: ['audit:read'], expires_at: '2999-01-01T00:00:00' },
  'an expiry with an offset of no time zone': {
    name: 'ci',
    scopes: ['audit:read'],
    expires_at: '2999-01-01T00:00:00+23:00',
  },
  'an expiry on a day that does not exist': {
    name: 'ci',
    scopes: ['audit:read'],
    expires_at: '2999-02-30T00:00:00.000Z',
  },
  'an expiry that is after the year 9999 in UTC': {
    name: 'ci',
    scopes: ['audit:read'],
    expires_at: '9999-12-31T23:59:59-14:00',
  },
  'an expiry with 200 decimal places': {
    name: 'ci',
    scopes: ['audit:read'],
    expires_at: `2999-01-01T00:00:00.${'0'.repeat(200)}Z`,
  },
  'an expiry that is not a timestamp': { name: 'ci', scopes: ['audit:read'], expires_at: 'tomorrow' },
  'an expiry that is a number': { name: 'ci', scopes: ['audit:read'], expires_at: 32_503_680_000 },
  'an unknown property': { name: 'ci', scopes: ['audit:read'], role: 'owner' },
  'an array as body': [],
  'no body': undefined,
}

test('a key is not created from an invalid body', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  for (const [what, body] of Object.entries(INVALID_BODIES)) {
    const refused = await acme.post('/api/v1/api-keys', body)

    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
    assert.ok(refused.body.error.details.issues.length >= 1, what)
  }
  const list = await acme.get('/api/v1/api-keys')
  assert.equal(list.body.data.api_keys.length, 1)
  const log = await acme.get('/api/v1/audit-log?action=api_key.created')
  assert.equal(log.body.data.entries.length, 1)
})

test('the length of a name is counted in characters, not in bytes or UTF-16 units', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const name = '🔑'.repeat(100)

  const created = await acme.post('/api/v1/api-keys', { name, scopes: ['audit:read'] })

  assert.equal(created.status, 201)
  assert.equal(created.body.data.api_key.name, name)
})

test('an expiry in another time zone is stored and returned in UTC', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/api-keys', {
    name: 'ci',
    scopes: ['audit:read'],
    expires_at: '2999-01-01T00:00:00-03:00',
  })

  assert.equal(created.status, 201)
  assert.equal(created.body.data.api_key.expires_at, '2999-01-01T03:00:00.000Z')
})

test('a key id that is not a UUID in its standard form is 400', { rules: ['api.malformed-id-is-400'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const answers = await Promise.all(
    ['7', 'null', `urn:uuid:${acme.keyId}`, `{${acme.keyId}}`].map((id) => acme.post(`/api/v1/api-keys/${id}/revoke`)),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 400],
  )
})

test('a channel token is neither listed nor revoked as an API key', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const token = await hub.channelToken(acme.organizationId, newId(), ['messages:send'])

  const list = await acme.get('/api/v1/api-keys')
  const revoked = await acme.post(`/api/v1/api-keys/${token.id}/revoke`)

  assert.equal(list.body.data.api_keys.length, 1)
  assert.equal(revoked.status, 404)
})

test('a key that grants a scope it lacks is 403 and creates nothing', {
  rules: ['auth.missing-scope-is-403'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['api_keys:write', 'api_keys:read', 'audit:read'])

  const refused = await acme.post('/api/v1/api-keys', { name: 'more', scopes: ['audit:read', 'billing:write'] })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  assert.match(refused.body.error.message, /billing:write/)
  assert.equal((await acme.get('/api/v1/api-keys')).body.data.api_keys.length, 1)
})

test('a person who grants a scope that their role lacks is 403', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const admin = await hub.person({ organizationId: acme.organizationId, role: 'admin' })

  const refused = await admin.post('/api/v1/api-keys', { name: 'more', scopes: ['billing:write'] })
  const granted = await admin.post('/api/v1/api-keys', { name: 'less', scopes: ['billing:read'] })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  assert.equal(granted.status, 201)
})

test('the database stores only the hash of a key', {
  rules: ['auth.credentials-are-stored-as-hashes', 'key.secret-is-shown-once'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { secret, api_key } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  await hub.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  const stored = await dumpDatabase(hub.sql)

  assert.ok(stored.includes(api_key.id))
  for (const form of listEncodings(secret)) assert.ok(!stored.includes(form))
  assert.ok(!stored.includes(secret.slice('hub_pk_'.length, -6)))
})

type Page = { api_keys: { id: string; name: string }[]; next_cursor: string | null }

test('the list is read in pages, newest first, with every key once although keys are created meanwhile', {
  rules: ['api.pages-have-a-cursor'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  await seedKeys(hub, acme.organizationId, 59)
  const read = async (query: string): Promise<Page> => (await acme.get(`/api/v1/api-keys${query}`)).body.data

  const byDefault = await read('')
  const pages = [await read('?limit=25')]
  await acme.post('/api/v1/api-keys', { name: 'meanwhile', scopes: ['audit:read'] })
  for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor) {
    pages.push(await read(`?limit=25&cursor=${next}`))
  }

  assert.equal(byDefault.api_keys.length, 50)
  assert.deepEqual(
    pages.map(({ api_keys }) => api_keys.length),
    [25, 25, 10],
  )
  const ids = pages.flatMap(({ api_keys }) => api_keys.map(({ id }) => id))
  assert.equal(new Set(ids).size, 60)
  assert.deepEqual(ids, ids.toSorted().reverse())
})

test("a limit outside 1 to 100 and another list's or a changed cursor are 400", {
  rules: ['api.pages-have-a-cursor'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  for (const { organizationId } of [acme, other]) await seedKeys(hub, organizationId, 1)
  const { next_cursor: foreign } = (await other.get('/api/v1/api-keys?limit=1')).body.data
  const { next_cursor: ofAudit } = (await acme.get('/api/v1/audit-log?limit=1')).body.data
  const { next_cursor: own } = (await acme.get('/api/v1/api-keys?limit=1')).body.data
  const changed = `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`

  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=', 'page=2']) {
    assert.equal((await acme.get(`/api/v1/api-keys?${query}`)).status, 400, query)
  }
  for (const cursor of [foreign, ofAudit, changed]) {
    assert.equal((await acme.get(`/api/v1/api-keys?cursor=${cursor}`)).status, 400)
  }
  assert.equal((await acme.get(`/api/v1/api-keys?cursor=${own}`)).body.data.api_keys.length, 1)
})

const ACTIVE_KEYS_MAX = 1000

test('as many concurrent creations in two processes succeed as 1,000 active keys allow', {
  rules: ['key.at-most-1000-active'],
}, async (t) => {
  const [hub, second] = [await startHub(t), await startHub(t)]
  const acme = await hub.organization()
  const elsewhere = second.anonymous.with(bearer(acme.key))
  await seedKeys(hub, acme.organizationId, ACTIVE_KEYS_MAX - 3)
  const create = (client: Pick<typeof acme, 'post'>) =>
    client.post('/api/v1/api-keys', { name: 'another', scopes: ['audit:read'] })

  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n % 2 ? acme : elsewhere)))

  const [created, refused] = [201, 403].map((status) => answers.filter((answer) => answer.status === status))
  assert.deepEqual([created?.length, refused?.length], [2, 6])
  assert.equal(refused?.[0]?.body.error.code, 'QUOTA_EXCEEDED')
  assert.partialDeepStrictEqual(refused?.[0]?.body.error.details, { quota: 'api_keys', limit: 1000, used: 1000 })
  await acme.post(`/api/v1/api-keys/${created?.[0]?.body.data.api_key.id}/revoke`)
  assert.deepEqual([(await create(acme)).status, (await create(acme)).status], [201, 403])
})

test('revoked and expired keys do not count against the limit', { rules: ['key.at-most-1000-active'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  await seedKeys(hub, acme.organizationId, ACTIVE_KEYS_MAX)
  await hub.sql`
    update credentials
    set revoked_at = case when last4 = 'even' then hub_now() end,
        expires_at = case when last4 <> 'even' then hub_now() end
    where organization_id = ${acme.organizationId} and id <> ${acme.keyId}`

  const created = await acme.post('/api/v1/api-keys', { name: 'another', scopes: ['audit:read'] })

  assert.equal(created.status, 201)
})

/** Active keys beside the organization's own. Their ids follow each other in time, as those of created keys do. */
async function seedKeys(hub: TestHub, organizationId: string, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, n) => ({ id: newId(hub.clock.now()), last4: n % 2 ? 'odd' : 'even' }))
  await hub.sql`
    insert into credentials (organization_id, id, kind, name, last4, scopes)
    select ${organizationId}, k.id, 'api_key', 'seeded', k.last4, array['audit:read']
    from ${rows(hub.sql, keys, { id: 'uuid', last4: 'text' })} as k`
}

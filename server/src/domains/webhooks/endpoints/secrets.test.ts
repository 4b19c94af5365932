import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contend } from '../../../../test/lock-contention.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { createWithSecret, readRow, readSecret, startWithDns, URL } from './test/webhooks.ts'

test('a creation generates a secret of 256 bits, shows it once, and stores it sealed', {
  rules: ['endpoint.creation-returns-the-secret-once'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const { webhook, secret } = await createWithSecret(acme)
  const other = await createWithSecret(acme)

  assert.match(secret, /^whsec_[\w-]{43}$/)
  assert.notEqual(secret, other.secret)
  assert.equal(await readSecret(hub, acme.organizationId, webhook.id), secret)
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(secret)) assert.ok(!stored.includes(form), form)
})

for (const status of ['active', 'paused', 'disabled']) {
  test(`a rotation of an endpoint that is ${status} replaces the secret at once, and nothing else`, {
    rules: ['endpoint.creation-returns-the-secret-once', 'signature.rotation-returns-the-new-secret'],
  }, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const { webhook, secret: old } = await createWithSecret(acme)
    const path = `/api/v1/webhooks/${webhook.id}`
    const { updated_at: _before, ...before } = (await acme.patch(path, { status })).body.data.webhook
    const { generation } = await readRow(hub, webhook.id)

    const rotated = await acme.post(`${path}/rotate-secret`)

    assert.equal(rotated.status, 200)
    assert.deepEqual(Object.keys(rotated.body.data).sort(), ['secret', 'warning'])
    const { secret, warning } = rotated.body.data
    assert.match(secret, /^whsec_[\w-]{43}$/)
    assert.notEqual(secret, old)
    assert.match(warning, /cannot be shown again/)
    assert.equal(await readSecret(hub, acme.organizationId, webhook.id), secret)
    const { updated_at: _after, ...after } = (await acme.get(path)).body.data.webhook
    assert.deepEqual(after, before)
    assert.equal((await readRow(hub, webhook.id)).generation, generation)
  })
}

test("a rotation also replaces a receiver's own secret", async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const body = { name: 'Padaria', webhook_url: URL, webhook_secret: 'a secret of my own' }
  const { webhook_id: id } = (await acme.post('/api/v1/channels', body)).body.data

  const { secret } = (await acme.post(`/api/v1/webhooks/${id}/rotate-secret`)).body.data

  assert.match(secret, /^whsec_/)
  assert.equal(await readSecret(hub, acme.organizationId, id), secret)
})

test('the last of concurrent rotations is the valid secret', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { webhook, secret: old } = await createWithSecret(acme)

  const answers = await contend((tx) => tx`select 1 from webhook_endpoints where id = ${webhook.id} for update`, {
    waiting: 5,
    work: () => Promise.all(Array.from({ length: 5 }, () => acme.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`))),
  })

  const shown = answers.map(({ body }) => body.data.secret)
  assert.equal(new Set([old, ...shown]).size, 6)
  assert.ok(shown.includes(await readSecret(hub, acme.organizationId, webhook.id)))
  assert.equal((await readRow(hub, webhook.id)).version, 6)
})

test('secrets and URL parameters appear only in the response that creates them', {
  rules: [
    'endpoint.is-never-shown-with-its-secret',
    'endpoint.creation-returns-the-secret-once',
    'signature.rotation-returns-the-new-secret',
  ],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { webhook, secret } = await createWithSecret(acme, { url: `${URL}?token=canary-one` })
  const path = `/api/v1/webhooks/${webhook.id}`
  const rotated = (await acme.post(`${path}/rotate-secret`)).body.data.secret

  const answers = [
    await acme.get('/api/v1/webhooks'),
    await acme.get(path),
    await acme.patch(path, { url: `${URL}?token=canary-two`, status: 'paused' }),
    await acme.patch(path, { url: 'https://10.0.0.1/?token=canary-three' }),
    await acme.patch(path, { secret }),
    await acme.delete(path),
    await acme.get('/api/v1/audit-log?limit=100'),
  ]

  const entries = await hub.sql<{ entry: string }[]>`select e::text as entry from audit_entries e`
  const lines = [...hub.logs, ...entries.map(({ entry }) => entry)]
  for (const once of [secret, rotated]) {
    for (const form of listEncodings(once)) {
      for (const { text } of answers) assert.ok(!text.includes(form), text)
      for (const line of lines) assert.ok(!line.includes(form), line)
    }
  }
  for (const line of lines) assert.ok(!line.includes('canary'), line)
  assert.ok(hub.logs.length >= answers.length)
})

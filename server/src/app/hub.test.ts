import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../test/hub.ts'
import { buildHeldKeys, PROCESS_LOCKS } from '../kernel/db/session-lock.ts'
import { perMinute } from '../kernel/rate-limit/limit.ts'

function listWarnings(logs: string[]): { destinations?: unknown; msg: string }[] {
  return logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
}

// A trusted private destination opens a way into the operator's network.
test('the hub logs the allowed destinations as a warning at every start', {
  rules: ['config.allowed-destinations-are-announced'],
}, async (t) => {
  const hub = await startHub(t, { env: { WEBHOOK_ALLOWED_DESTINATIONS: '10.0.0.0/8:8080,crm.internal:443' } })

  const [warning, ...others] = listWarnings(hub.logs)

  assert.equal(others.length, 0)
  assert.match(
    warning?.msg ?? '',
    /^webhooks may reach destinations that are not public, because WEBHOOK_ALLOWED_DESTINATIONS is set$/,
  )
  const named = JSON.stringify(warning?.destinations)
  for (const part of ['10.0.0.0', '8080', 'crm.internal', '443']) assert.ok(named.includes(part), named)
})

test('a hub without allowed destinations starts without a warning', async (t) => {
  const hub = await startHub(t)

  assert.deepEqual(listWarnings(hub.logs), [])
})

const PUBLIC = { PUBLIC_URL: 'https://hub.example.com', SIGN_UP: 'open' }
const PROXY = { TRUSTED_PROXIES: '10.0.0.0/8', METRICS_TOKEN: 'secret' }

for (const [env, expected] of [
  [{ ...PUBLIC, BILLING: 'off', SIGN_UP: 'closed', ...PROXY }, ['there is no account yet']],
  [{ BILLING: 'off', PUBLIC_URL: 'http://127.0.0.1:9' }, []],
  [{ ...PUBLIC, ...PROXY }, []],
  [{ PUBLIC_URL: 'http://hub.example.com', SIGN_UP: 'open' }, ['PUBLIC_URL is http']],
  // A sandbox that others can reach is closed by default.
  [{ PUBLIC_URL: 'https://hub.example.com', ...PROXY }, ['there is no account yet']],
  [{ ...PUBLIC }, ['PUBLIC_URL is https and TRUSTED_PROXIES is empty']],
  [{ ...PUBLIC, ...PROXY, BILLING: 'off' }, ['SIGN_UP=open with BILLING=off']],
  [{ ...PUBLIC, TRUSTED_PROXIES: '10.0.0.0/8' }, ['TRUSTED_PROXIES is set and METRICS_TOKEN is not']],
  [{ UPSTREAM_APP_ID: '1', UPSTREAM_APP_SECRET: 'abc' }, ['UPSTREAM_APP_ID is set and UPSTREAM_URL is not']],
] as const) {
  test(`a start with ${JSON.stringify(env)} warns of ${expected[0] ?? 'nothing'}`, {
    rules: ['config.risky-settings-are-warned-of'],
  }, async (t) => {
    const { logs } = await startHub(t, { env })

    const warnings = listWarnings(logs)

    assert.equal(warnings.length, expected.length)
    assert.ok(expected.every((text, i) => warnings[i]?.msg.startsWith(text)))
  })
}

test('a hub that cannot start leaves no session behind that would count as a living process', async (t) => {
  const { sql } = await startHub(t)
  const listHeld = () => sql`${buildHeldKeys(sql, PROCESS_LOCKS)}`
  const before = await listHeld()
  const access = { 'GET /api/v1/nowhere': { scope: 'audit:read' } } as const
  const extension = { access, limit: perMinute('test', 100), routes: async () => {} }

  await assert.rejects(startHub(t, { extension }), /routes that do not exist/)

  // The database notices after a moment that a connection was closed.
  let held = await listHeld()
  while (held.length > before.length) held = await listHeld()
  assert.deepEqual(held, before)
})

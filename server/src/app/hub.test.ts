import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../test/hub.ts'

function warningsOf(logs: string[]): { destinations?: unknown; msg: string }[] {
  return logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
}

// Whoever trusts a private destination opens a way into their own network, and ought to be reminded.
test('destinations that are trusted although they are not public are named in the log at every start', {
  rules: ['D2-32'],
}, async (t) => {
  const hub = await startHub(t, { env: { WEBHOOK_ALLOWED_DESTINATIONS: '10.0.0.0/8:8080,crm.internal:443' } })

  const [warning, ...others] = warningsOf(hub.logs)

  assert.equal(others.length, 0)
  assert.match(warning?.msg ?? '', /^WEBHOOK_ALLOWED_DESTINATIONS is set/)
  const named = JSON.stringify(warning?.destinations)
  for (const part of ['10.0.0.0', '8080', 'crm.internal', '443']) assert.ok(named.includes(part), named)
})

test('a hub that trusts no such destination starts without a warning', async (t) => {
  const hub = await startHub(t)

  assert.deepEqual(warningsOf(hub.logs), [])
})

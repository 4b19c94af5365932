import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../test/hub.ts'

function listWarnings(logs: string[]): { destinations?: unknown; msg: string }[] {
  return logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
}

// A trusted private destination opens a way into the operator's network.
test('the hub logs the allowed destinations as a warning at every start', {
  rules: ['D2-32'],
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

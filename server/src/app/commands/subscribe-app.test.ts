import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { subscribeApp } from './subscribe-app.ts'

/** Runs the command with a simulator that refuses fields, and returns what it prints and what the simulator then has. */
async function run(t: TestContext, settings: { refused?: string[]; named?: boolean }) {
  const { hub, up } = await startHubWithUpstream(t)
  const callback = { callbackUrl: `${hub.url}/hooks/upstream`, verifyToken: up.simulator.verifyToken }
  await up.simulator.control('PUT', '/subscriptions', settings)
  const printed = await subscribeApp(hub.context.upstream.app, callback)
  const { fields } = await up.simulator.control<{ fields: string[] }>('PUT', '/subscriptions', {})
  const { requests } = await up.simulator.control<{ requests: { path: string }[] }>('GET', '/requests')
  return { printed, fields, calls: requests.filter(({ path }) => path.endsWith('/subscriptions')).length }
}

test('required and optional fields are subscribed together', {
  rules: ['admin.subscribe-app-registers-the-callback'],
}, async (t) => {
  const { printed, fields, calls } = await run(t, {})

  assert.deepEqual([printed.fields, printed.not_subscribed, calls], [fields, [], 1])
  for (const field of ['messages', 'flows', 'group_lifecycle_update', 'user_id_update', 'business_username_updates'])
    assert.ok(fields.includes(field), field)
})

test('optional fields that the upstream refuses by name are left out and printed', {
  rules: ['admin.subscribe-app-registers-the-callback'],
}, async (t) => {
  const { printed, fields, calls } = await run(t, { refused: ['flows', 'user_id_update'] })

  assert.deepEqual([printed.fields, printed.not_subscribed, calls], [fields, ['flows', 'user_id_update'], 3])
  assert.ok(fields.includes('messages') && fields.includes('group_settings_update') && !fields.includes('flows'))
})

test('a refusal that names no field leads to a try of each optional field', {
  rules: ['admin.subscribe-app-registers-the-callback'],
}, async (t) => {
  const { printed, fields } = await run(t, { refused: ['flows', 'group_status_update'], named: false })

  assert.deepEqual([printed.fields, printed.not_subscribed], [fields, ['flows', 'group_status_update']])
  assert.ok(fields.includes('business_username_updates') && fields.includes('messages'))
})

for (const named of [true, false]) {
  test(`a required field that is refused ${named ? 'by name' : 'without a name'} is an error`, {
    rules: ['admin.subscribe-app-registers-the-callback'],
  }, async (t) => {
    await assert.rejects(run(t, { refused: ['messages'], named }), /The upstream did not accept .*hooks.upstream/)
  })
}

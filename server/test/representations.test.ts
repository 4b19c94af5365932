import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid } from '../src/kernel/ids.ts'
import { type Answer, createClient } from './client.ts'
import { bearer } from './hub.ts'
import { startHubWithUpstream } from './hub-with-upstream.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const TIME_NAME = /_at$|^period_(start|end)$/

/** Every member of a JSON value, at any depth. */
function* listMembers(value: unknown): Generator<[name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    yield [name, member]
    yield* listMembers(member)
  }
}

/** Creates one object of each kind, reads all of them, and returns every answer. */
async function readEverything(t: Parameters<typeof startHubWithUpstream>[0]): Promise<Answer[]> {
  const { hub, connect } = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const organization = await hub.organization()
  const channel = await connect(organization)
  const answers: Answer[] = []
  const record = (_method: string, _path: string, answer: Answer) => void answers.push(answer)
  const acme = createClient(hub.url, bearer(organization.key), record)
  const { cookie } = await hub.person({ organizationId: organization.organizationId, role: 'owner' })
  const ana = createClient(hub.url, { cookie, origin: hub.context.publicUrl }, record)

  const path = `/api/v1/channels/${channel.id}`
  await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: 'https://93.184.216.34/in' })
  await acme.patch(path, { name: 'new' })
  await acme.post(`${path}/connect-link`)
  const message = { to: '5511987654321', type: 'text', text: { body: 'Bom dia!' } }
  await acme.post(`${path}/messages`, message, { headers: { 'idempotency-key': 'representations' } })
  const key = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  await acme.post(`/api/v1/api-keys/${key.body.data.api_key.id}/revoke`)
  const { webhook } = (await acme.post('/api/v1/webhooks', { name: 'CRM', url: 'https://93.184.216.34/in' })).body.data
  const { delivery_id } = (await acme.post(`/api/v1/webhooks/${webhook.id}/test`)).body.data
  await acme.patch(`/api/v1/webhooks/${webhook.id}`, { status: 'disabled' })
  await acme.patch(`/api/v1/webhooks/${webhook.id}`, { status: 'active' })
  await acme.post(`/api/v1/webhooks/${webhook.id}/replay/${delivery_id}`)
  await ana.post('/console/invitations', { email: 'bea@example.com', role: 'viewer' })
  for (const one of ['channels', 'webhooks', 'api-keys', 'audit-log', 'usage']) await acme.get(`/api/v1/${one}`)
  for (const one of ['', '/messages', '/diagnostics']) await acme.get(path + one)
  for (const one of ['', '/deliveries', `/deliveries/${delivery_id}`])
    await acme.get(`/api/v1/webhooks/${webhook.id}${one}`)
  for (const one of ['session', 'sessions', 'members', 'invitations']) await ana.get(`/console/${one}`)
  for (const { status, text } of answers) assert.ok(status < 300, text)
  await acme.get('/api/v1/nothing')
  return answers
}

test('every id of the hub is a UUIDv7, and every timestamp is in UTC with milliseconds', {
  rules: ['api.ids-are-uuidv7', 'api.timestamps-are-utc'],
}, async (t) => {
  const answers = await readEverything(t)

  const members = answers.flatMap(({ body }) => [...listMembers(body)]).filter(([, value]) => typeof value === 'string')
  const ids = members.filter(([, value]) => isUuid(String(value)))
  const times = members.filter(([name]) => TIME_NAME.test(name))
  for (const [name, id] of ids) assert.match(String(id), UUID_V7, name)
  for (const [name, time] of times) assert.match(String(time), TIMESTAMP, name)
  for (const { headers } of answers) assert.match(headers.get('x-request-id') ?? '', UUID_V7)
  const names = new Set([...ids, ...times].map(([name]) => name))
  const expected = [
    'id',
    'channel_id',
    'webhook_id',
    'delivery_id',
    'event_id',
    'replay_of_delivery_id',
    'request_id',
    'created_at',
    'updated_at',
    'checked_at',
    'expires_at',
    'revoked_at',
    'last_used_at',
    'next_attempt_at',
    'period_start',
    'period_end',
  ]
  assert.deepEqual(
    expected.filter((name) => !names.has(name)),
    [],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { CreateWebhook, UpdateWebhook } from './schemas.ts'
import { createWebhook, getWebhook, readRow, startWithDns, URL } from './test/webhooks.ts'

const ID = newId()
const IDS_101 = Array.from({ length: 101 }, () => newId())

/** Invalid in a creation and in a change: what is wrong, the fields, and the path of the issue. */
const WRONG_FIELDS: [string, object, string][] = [
  ['an empty name', { name: '' }, '/name'],
  ['a name that is too long', { name: 'x'.repeat(101) }, '/name'],
  ['a name that is a number', { name: 7 }, '/name'],
  ['a name that is null', { name: null }, '/name'],
  ['a url that is no URI', { url: 'hooks' }, '/url'],
  ['a url that is too long', { url: `${URL}?`.padEnd(2049, 'x') }, '/url'],
  ['a url that is null', { url: null }, '/url'],
  ['an unknown kind of event', { event_types: ['message.received', 'message.lost'] }, '/event_types/1'],
  ['a kind of event named twice', { event_types: ['message.sent', 'message.sent'] }, '/event_types'],
  ['event types that are no list', { event_types: 'message.received' }, '/event_types'],
  ['event types that are null', { event_types: null }, '/event_types'],
  ['another payload mode', { payload_mode: 'raw' }, '/payload_mode'],
  ['all_channels as a text', { all_channels: 'true' }, '/all_channels'],
  ['all_channels that is null', { all_channels: null }, '/all_channels'],
  ['a channel id that is no uuid', { all_channels: false, channel_ids: [ID, 'x'] }, '/channel_ids/1'],
  ['a channel named twice', { all_channels: false, channel_ids: [ID, ID] }, '/channel_ids'],
  ['a channel named in two spellings', { all_channels: false, channel_ids: [ID, ID.toUpperCase()] }, '/channel_ids/1'],
  ['101 channels', { all_channels: false, channel_ids: IDS_101 }, '/channel_ids'],
  ['channel ids that are no list', { all_channels: false, channel_ids: ID }, '/channel_ids'],
  ['a secret', { secret: 'whsec_of-my-own-choice' }, '/secret'],
  ['an unknown property', { events: [] }, '/events'],
]

const WRONG_CREATIONS: [string, unknown, string][] = [
  ['no body', undefined, '/name'],
  ['no name', { url: URL }, '/name'],
  ['no url', { name: 'CRM' }, '/url'],
  ['another delivery format', { name: 'CRM', url: URL, delivery_format: 'v2' }, '/delivery_format'],
  ['a status', { name: 'CRM', url: URL, status: 'paused' }, '/status'],
  ...WRONG_FIELDS.map(([what, fields, path]): [string, unknown, string] => [
    what,
    { name: 'CRM', url: URL, ...fields },
    path,
  ]),
]

const WRONG_CHANGES: [string, unknown, string][] = [
  ['no body', undefined, ''],
  ['an empty body', {}, ''],
  ['the same delivery format', { delivery_format: 'native' }, '/delivery_format'],
  ['another delivery format', { name: 'new', delivery_format: 'compat' }, '/delivery_format'],
  ['another status', { status: 'stopped' }, '/status'],
  ['a status that is null', { status: null }, '/status'],
  ...WRONG_FIELDS,
]

function assertInvalid(refused: Answer, path: string, what: string): void {
  assert.equal(refused.status, 400, what)
  assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  const paths = refused.body.error.details.issues.map((issue: { path: string }) => issue.path)
  assert.ok(paths.includes(path), `${what}: ${paths.join()}`)
}

test('a creation with an invalid field is refused with its path and inserts nothing', {
  rules: ['api.repeated-list-items-are-400'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  for (const [what, body, path] of WRONG_CREATIONS) {
    assertInvalid(await acme.post('/api/v1/webhooks', body), path, what)
  }

  assert.deepEqual((await acme.get('/api/v1/webhooks')).body.data.webhooks, [])
})

test('a change with an invalid field is refused with its path and changes nothing', {
  rules: ['api.repeated-list-items-are-400', 'endpoint.empty-patch-is-400', 'endpoint.delivery-format-is-fixed'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const webhook = await createWebhook(acme, { all_channels: false, channel_ids: [channelId] })

  for (const [what, body, path] of WRONG_CHANGES) {
    assertInvalid(await acme.patch(`/api/v1/webhooks/${webhook.id}`, body), path, what)
  }

  assert.deepEqual(await getWebhook(acme, webhook.id), webhook)
  assert.equal((await readRow(hub, webhook.id)).version, 1)
})

// Without a type of the items, Ajv compares every item with every other: a long list would block the hub for minutes.
test('every list with uniqueItems has the type of its items in the schema', () => {
  const lists = [CreateWebhook, UpdateWebhook]
    .flatMap(({ properties }) => Object.values(properties))
    .filter((schema) => 'uniqueItems' in schema)

  assert.equal(lists.length, 4)
  for (const { items } of lists) assert.equal((items as { type?: string }).type, 'string')
})

test('a rotation or a deletion with a body is refused', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)

  const rotated = await acme.post(`/api/v1/webhooks/${id}/rotate-secret`, { secret: 'whsec_of-my-own-choice' })
  const deleted = await acme.send('DELETE', `/api/v1/webhooks/${id}`, { body: { force: true } })

  for (const { status, body } of [rotated, deleted]) {
    assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'])
  }
  assert.equal((await readRow(hub, id)).version, 1)
})

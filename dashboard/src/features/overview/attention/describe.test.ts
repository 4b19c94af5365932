import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AttentionItem } from '@hubline/sdk/console'
import { setReader } from '../../../../test/reader.ts'
import { describeAttention } from './describe.ts'

/** Each text by its key and its values. */
const t = ((key: string, values?: object) =>
  values === undefined ? key : `${key} ${JSON.stringify(values)}`) as Parameters<typeof describeAttention>[1]

function describe(kind: AttentionItem['kind'], details: object = {}, name: string | null = 'erp') {
  return describeAttention({ kind, target: { id: 't1', name }, details } as unknown as AttentionItem, t)
}

function english(context: TestContext): void {
  setReader(context, {})
}

test('each line leads to the one page where something can be done', (context) => {
  english(context)
  const channel = { to: '/channels/$channelId', params: { channelId: 't1' } }
  const rows: [AttentionItem['kind'], object, object][] = [
    ['endpoint_paused', {}, { to: '/webhooks/$webhookId', params: { webhookId: 't1' } }],
    ['channel_degraded', {}, { ...channel, search: { tab: 'diagnostics' } }],
    ['channel_disconnected', {}, { ...channel, search: { tab: 'connect' } }],
    ['link_expired', {}, { ...channel, search: { tab: 'connect' } }],
    ['unknown_sends', { count: 2 }, { to: '/messages', search: { status: 'unknown', channel_id: 't1' } }],
    ['template_rejected', { channel_id: 'c1' }, { to: '/templates', search: { channel: 'c1', q: 'erp' } }],
    ['quota', {}, { to: '/usage' }],
    ['subscription_past_due', {}, { to: '/usage' }],
    ['subscription_suspended', {}, { to: '/usage' }],
  ]
  for (const [kind, details, link] of rows) assert.deepEqual(describe(kind, details).link, link, kind)
})

test('a line that stops messages is red', (context) => {
  english(context)
  const kinds = ['endpoint_paused', 'channel_disconnected', 'template_rejected', 'subscription_suspended'] as const
  for (const kind of kinds) assert.equal(describe(kind).tone, 'danger', kind)
  const milder = ['channel_degraded', 'unknown_sends', 'subscription_past_due', 'link_expired'] as const
  for (const kind of milder) assert.notEqual(describe(kind).tone, 'danger', kind)
})

test('a paused endpoint says who paused it, the last error, and what it holds back', (context) => {
  english(context)
  const details = { by_hub: true, consecutive_failures: 20, last_error_code: 'TIMEOUT', host: 'erp.example', held: 3 }

  const paused = describe('endpoint_paused', details)
  const byPerson = describe('endpoint_paused', { ...details, by_hub: false, last_error_code: null, held: 0 }, null)

  assert.equal(paused.title, 'endpoint_paused_hub {"name":"erp","count":20}')
  assert.equal(paused.below, 'fromHost {"code":"TIMEOUT","host":"erp.example"} · held {"count":3,"shown":"3"}')
  assert.equal(byPerson.title, 'endpoint_paused {"name":"erp.example","count":20}')
  assert.equal(byPerson.below, 'erp.example')
})

test('counts that stop at a limit say that there may be more', (context) => {
  english(context)

  assert.match(describe('endpoint_paused', { held: 100 }).below, /"shown":"100\+"/)
  assert.match(describe('unknown_sends', { count: 1000 }).title, /"shown":"1,000\+"/)
  assert.match(describe('unknown_sends', { count: 999 }).title, /"shown":"999"/)
})

test('a degraded channel names its causes, or says where to find them', (context) => {
  english(context)
  const rows: [object, string][] = [
    [{ subscribed_ok: false, quality_rating: 'RED' }, 'subscriptionLost · quality {"rating":"RED"}'],
    [{ subscribed_ok: true, quality_rating: 'YELLOW' }, 'quality {"rating":"YELLOW"}'],
    [{ subscribed_ok: true, quality_rating: 'GREEN' }, 'diagnose'],
    [{ subscribed_ok: null, quality_rating: null }, 'diagnose'],
  ]
  for (const [details, below] of rows) assert.equal(describe('channel_degraded', details).below, below)
})

test('a template says by its status whether it was rejected, paused or disabled', (context) => {
  english(context)
  const titles = ['REJECTED', 'PAUSED', 'DISABLED', undefined].map(
    (status) => describe('template_rejected', { status }).title,
  )

  assert.deepEqual(
    titles.map((title) => title.split(' ')[0]),
    ['template_rejected', 'template_paused', 'template_disabled', 'template_rejected'],
  )
})

test('a quota warns once it is full, and says of what it is', (context) => {
  english(context)
  const rows: [object, string, string][] = [
    [{ quota: 'channels', used: 9, limit: 10 }, 'neutral', 'quotaChannels'],
    [{ quota: 'channels', used: 10, limit: 10 }, 'warn', 'quotaFullChannels'],
    [{ quota: 'webhook_endpoints', used: 4, limit: 5 }, 'neutral', 'quotaEndpoints'],
    [{ quota: 'webhook_endpoints', used: 6, limit: 5 }, 'warn', 'quotaFullEndpoints'],
    [{ quota: 'members', used: 1, limit: 2 }, 'neutral', 'quotaAny'],
  ]
  for (const [details, tone, title] of rows) {
    const described = describe('quota', details)
    assert.deepEqual([described.tone, described.title], [tone, title])
  }
})

test('a quota of the Free plan leads to an upgrade, and one of a paid plan to more connections', (context) => {
  english(context)
  const actions = ['free', 'starter'].map(
    (plan) => describe('quota', { quota: 'channels', used: 2, limit: 2, plan }).action,
  )

  assert.deepEqual(actions, ['do.upgrade', 'do.add'])
})

test('a template without a reason shows none', (context) => {
  english(context)
  const { below } = describe('template_rejected', { language: 'pt_BR', channel_name: 'Livraria', reason: 'NONE' })

  assert.equal(below, 'pt_BR · Livraria')
})

test('a name that is written from right to left does not reorder the line', (context) => {
  english(context)
  const { below } = describe('template_rejected', { language: 'he', channel_name: 'מאפייה', reason: 'INVALID_FORMAT' })

  assert.equal(below, 'he · \u2068מאפייה\u2069 · INVALID_FORMAT')
})

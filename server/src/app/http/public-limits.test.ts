import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { newToken } from '../../kernel/crypto/tokens.ts'
import { ACCESS_RULES } from './access-rules.ts'

const BEHIND_PROXY = { env: { TRUSTED_PROXIES: '127.0.0.1/32' } }

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })

/** Leaves one request in each open window of a bucket. */
async function useUp(hub: TestHub, bucket: string, requests: number): Promise<void> {
  await hub.sql`update rate_limits set used = ${requests - 1} where bucket = ${bucket}`
}

test('every route without a credential has a limit, except callbacks, probes, metrics and static assets', {
  rules: ['signin.page-routes-have-address-limits'],
}, () => {
  const unlimited = Object.entries(ACCESS_RULES).flatMap(([route, access]) =>
    'callback' in access || ('public' in access && access.public === 'unlimited') ? [route] : [],
  )

  const assets = unlimited.filter((route) => /\.(css|js|json|woff2)$|^GET \/(docs|assets\/:file)$/.test(route))
  assert.deepEqual(unlimited.filter((route) => !assets.includes(route)).toSorted(), [
    'GET /health',
    'GET /hooks/upstream',
    'GET /metrics',
    'GET /ready',
    'POST /hooks/billing',
    'POST /hooks/upstream',
  ])
})

test('request 301 of an address to public routes within a minute is refused, and costs no statement after the first', {
  rules: ['signin.page-routes-have-address-limits'],
}, async (t) => {
  const hub = await startHub(t, { ...BEHIND_PROXY, isOwn: true })
  const [first, last] = [await hub.anonymous.get('/connect', from('203.0.113.1')), '203.0.113.1']
  await useUp(hub, 'public', 300)

  const allowed = await hub.anonymous.get('/connect', from(last))
  const refused = await hub.anonymous.get('/billing/return', from(last))
  await hub.sql`delete from rate_limits where bucket = 'public'`
  const remembered = await hub.anonymous.post('/console/sign-in', { email: 'a@example.com', password: 'x' }, from(last))
  const other = await hub.anonymous.get('/connect', from('203.0.113.2'))
  const unlimited = await Promise.all(
    ['/health', '/openapi.json', '/connect/assets/connect.css'].map((path) => hub.anonymous.get(path, from(last))),
  )
  const callback = await hub.anonymous.post('/hooks/upstream', {}, from(last))
  await hub.clock.advance('1 minute')
  const later = await hub.anonymous.get('/connect', from(last))

  assert.equal(first.headers.get('ratelimit-remaining'), '299')
  assert.deepEqual([allowed.status, allowed.headers.get('ratelimit-remaining')], [200, '0'])
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('ratelimit-limit'), '300')
  assert.equal(refused.headers.get('retry-after'), refused.headers.get('ratelimit-reset'))
  assert.deepEqual([remembered.status, remembered.body.error.code], [429, 'RATE_LIMITED'])
  assert.deepEqual([other.status, callback.status, later.status], [200, 401, 200])
  assert.ok(unlimited.every(({ status }) => status === 200))
})

test('request 101 with one link within 15 minutes is refused from every address, and other links work', {
  rules: ['limit.100-requests-a-link'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const path = `/api/v1/connect/${newToken('connect_link')}`
  const before = await hub.anonymous.get(path, from('203.0.113.3'))
  await useUp(hub, 'link', 100)

  const page = await hub.anonymous.get(path.replace('/api/v1', ''), from('203.0.113.4'))
  const refused = await hub.anonymous.get(path, from('203.0.113.5'))
  const other = await hub.anonymous.get(`/console/join/${newToken('invitation')}`, from('203.0.113.5'))

  assert.deepEqual([before.status, page.status, refused.status, other.status], [404, 200, 429, 404])
  assert.equal(refused.headers.get('ratelimit-limit'), '100')
})

test('the database holds no link, only its hash', async (t) => {
  const hub = await startHub(t)
  const link = newToken('billing_link')
  await hub.anonymous.get(`/billing/portal/${link}`)

  const subjects = await hub.sql<{ subject: string }[]>`select subject from rate_limits where bucket = 'link'`

  assert.ok(subjects.length > 0)
  assert.ok(!JSON.stringify(subjects).includes(link))
})

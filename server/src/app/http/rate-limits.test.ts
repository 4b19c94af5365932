import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { ANY_ANSWER, extension } from '../../../test/extension.ts'
import { startHub } from '../../../test/hub.ts'
import { LIMITS } from './rate-limits.ts'

const WEBHOOKS = extension(
  { 'GET /api/v1/limited': { scope: 'webhooks:read' } },
  (app) => {
    app.get('/limited', { schema: { response: ANY_ANSWER } }, async () => ({ data: {} }))
  },
  LIMITS.webhooks,
)

async function times(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let left = count; left > 0; left -= 20) {
    answers.push(...(await Promise.all(Array.from({ length: Math.min(left, 20) }, send))))
  }
  return answers
}

function assertLimited(answer: Answer, limit: number): void {
  assert.equal(answer.status, 429)
  assert.equal(answer.body.error.code, 'RATE_LIMITED')
  const wait = Number(answer.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  assert.equal(answer.headers.get('ratelimit-limit'), String(limit))
  assert.equal(answer.headers.get('ratelimit-remaining'), '0')
  assert.equal(answer.headers.get('ratelimit-reset'), String(wait))
}

test('request 121 to the webhook routes within a minute is refused, and the next minute starts at zero', {
  rules: ['limit.headers-show-the-window'],
}, async (t) => {
  const hub = await startHub(t, { extension: WEBHOOKS })
  const acme = await hub.organization()
  const answers = await times(120, () => acme.get('/api/v1/limited'))

  const refused = await acme.get('/api/v1/limited')
  await hub.clock.advance('1 minute')
  const reopened = await acme.get('/api/v1/limited')

  assert.ok(answers.every(({ status }) => status === 200))
  const remaining = answers.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b)
  assert.deepEqual(
    remaining,
    Array.from({ length: 120 }, (_, index) => index),
  )
  assertLimited(refused, 120)
  assert.equal(reopened.status, 200)
  assert.equal(reopened.headers.get('ratelimit-remaining'), '119')
})

test('request 601 to the other API routes within a minute is refused', {
  rules: [
    'limit.600-other-requests-a-minute',
    'limit.headers-show-the-window',
    'error.rate-limit-is-429-with-retry-after',
  ],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const answers = await times(600, () => acme.get('/api/v1/api-keys'))

  const refused = await acme.get('/api/v1/audit-log')

  assert.ok(answers.every(({ status }) => status === 200))
  assertLimited(refused, 600)
})

test('an organization has 3,000 requests a minute over all its credentials', {
  rules: ['limit.3000-a-minute-per-organization', 'limit.console-shares-the-3000'],
}, async (t) => {
  const hub = await startHub(t, { extension: WEBHOOKS })
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const person = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await acme.get('/api/v1/api-keys')
  await hub.sql`update rate_limits set used = 2998 where bucket = 'organization' and subject = ${acme.organizationId}`

  const allowed = [await acme.get('/api/v1/api-keys'), await person.get('/api/v1/api-keys')]
  const refused = [
    await acme.get('/api/v1/audit-log'),
    await person.get('/api/v1/audit-log'),
    await person.get('/console/messages'),
  ]
  const unaffected = [await acme.get('/api/v1/limited'), await other.get('/api/v1/api-keys')]

  assert.ok(allowed.every(({ status }) => status === 200))
  for (const answer of refused) assertLimited(answer, 3000)
  assert.ok(unaffected.every(({ status }) => status === 200))
})

test('the pages of webhooks have a limit of their own, and use none of that of the API', {
  rules: ['limit.webhook-pages-have-their-own'],
}, async (t) => {
  const hub = await startHub(t)
  const person = await hub.person()
  await person.get('/console/webhooks')
  await person.get('/api/v1/webhooks')
  await hub.sql`update rate_limits set used = 120 where bucket = 'webhooks'`

  const refused = await person.get('/api/v1/webhooks')
  const pages = await person.get('/console/webhooks')
  const found = await person.get(`/console/deliveries/${person.organizationId}`)

  assertLimited(refused, 120)
  assert.equal(pages.status, 200, pages.text)
  assert.equal(pages.headers.get('ratelimit-limit'), '600')
  assert.equal(found.status, 404)
  assert.equal(found.headers.get('ratelimit-remaining'), '597')
})

test('requests of several sessions on /console count against one limit of the organization', {
  rules: ['limit.console-shares-the-3000'],
}, async (t) => {
  const hub = await startHub(t)
  const person = await hub.person()
  const { organizationId } = person
  const colleague = await hub.person({ organizationId, role: 'viewer' })

  await person.get('/console/attention')
  await colleague.get('/console/attention')

  const [row] = await hub.sql<{ used: number }[]>`
    select used from rate_limits where bucket = 'organization' and subject = ${organizationId}`
  assert.equal(row?.used, 2)
})

test('each group of routes and each credential has its own count', {
  rules: ['limit.600-other-requests-a-minute', 'limit.120-webhook-operations-a-minute'],
}, async (t) => {
  const hub = await startHub(t, { extension: WEBHOOKS })
  const acme = await hub.organization()
  const { body } = await acme.post('/api/v1/api-keys', { name: 'other', scopes: ['webhooks:read'] })
  const person = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await times(121, () => acme.get('/api/v1/limited'))

  const [same, otherGroup, otherKey, session] = [
    await acme.get('/api/v1/limited'),
    await acme.get('/api/v1/api-keys'),
    await hub.anonymous.get('/api/v1/limited', { headers: { authorization: `Bearer ${body.data.secret}` } }),
    await person.get('/api/v1/limited'),
  ]

  assertLimited(same, 120)
  assert.deepEqual([otherGroup.status, otherKey.status, session.status], [200, 200, 200])
})

test('a limit applies across all processes of the hub', {
  rules: ['limit.holds-across-processes', 'config.processes-share-a-database', 'limit.120-webhook-operations-a-minute'],
}, async (t) => {
  const [one, other] = [await startHub(t, { extension: WEBHOOKS }), await startHub(t, { extension: WEBHOOKS })]
  const acme = await one.organization()
  const onOther = other.anonymous.with({ authorization: `Bearer ${acme.key}` })
  await Promise.all([times(60, () => acme.get('/api/v1/limited')), times(60, () => onOther.get('/api/v1/limited'))])

  const answers = [await acme.get('/api/v1/limited'), await onOther.get('/api/v1/limited')]

  for (const answer of answers) assertLimited(answer, 120)
})

test('a request without a valid credential is 401 and is not counted', async (t) => {
  const hub = await startHub(t, { extension: WEBHOOKS })
  const acme = await hub.organization()
  await hub.anonymous.get('/api/v1/limited')

  const res = await acme.get('/api/v1/limited')

  assert.equal(res.headers.get('ratelimit-remaining'), '119')
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { createSessionCookie } from '../../domains/auth/sessions/cookie.ts'
import { createServer } from '../../kernel/http/server.ts'
import { createLogger } from '../../kernel/logger.ts'
import { perMinute } from '../../kernel/rate-limit/limit.ts'
import { installAccessControl } from './access-control.ts'
import { createPublicLimits } from './public-limits.ts'

/** A server with the hub's access control and one route, which returns the name of the caller. */
async function startServer(t: TestContext, { context }: TestHub, authenticationMsMax: number): Promise<string> {
  const app = await createServer({
    logger: createLogger('fatal'),
    now: context.now,
    trustedProxies: [],
    isHttps: false,
    logFields: () => ({}),
  })
  installAccessControl(app, {
    allowsGraphParameters: true,
    auth: context.auth,
    countPublicRequest: createPublicLimits(context),
    cookie: createSessionCookie(false),
    origins: new Set(),
    access: { 'POST /api/v1/echo': { scope: 'audit:read' } },
    authenticationMsMax,
  })
  const limit = { ...perMinute('held', 100), perOrganization: perMinute('held-organization', 1000) }
  app.post('/api/v1/echo', { config: { limit } }, async ({ principal }) => ({ data: principal.initiator.actor.name }))
  t.after(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** A request whose body the test sends later. */
function holdBody(url: string, token: string) {
  const held = request(`${url}/api/v1/echo`, { method: 'POST' })
  held.setHeader('authorization', `Bearer ${token}`).setHeader('content-type', 'application/json')
  held.setHeader('content-length', 2)
  held.flushHeaders()
  return async function send(): Promise<IncomingMessage> {
    held.end('{}')
    const [answer] = (await once(held, 'response')) as [IncomingMessage]
    return answer.resume()
  }
}

// A client must not keep access after a revocation by delaying the body.
test('a body that arrives after its credential was revoked is 401', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'held', scopes: ['audit:read'] })).body.data
  const url = await startServer(t, hub, 0)
  const send = holdBody(url, secret)
  await untilUsed(hub, api_key.id)

  await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)
  const answer = await send()

  assert.equal(answer.statusCode, 401)
})

test('a request counts once against its limits, also if its body takes so long that it is authorized twice', {
  rules: ['limit.request-counts-once'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const [slow, fast] = [await startServer(t, hub, 0), await startServer(t, hub, 60_000)]

  const remaining = []
  for (const url of [fast, slow, slow, fast]) {
    const answer = await holdBody(url, acme.key)()
    assert.equal(answer.statusCode, 200)
    remaining.push(Number(answer.headers['ratelimit-remaining']))
  }

  assert.deepEqual(remaining, [99, 98, 97, 96])
  const [{ used } = { used: 0 }] = await hub.sql<{ used: number }[]>`
    select used from rate_limits where bucket = 'held-organization' and subject = ${acme.organizationId}`
  assert.equal(used, 4)
})

async function untilUsed(hub: TestHub, id: string): Promise<void> {
  for (;;) {
    const [row] = await hub.sql`select last_used_at from credentials where id = ${id}`
    if (row?.last_used_at) return
  }
}

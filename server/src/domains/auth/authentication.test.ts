import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { holdTransaction } from '../../../test/hub-with-upstream.ts'
import { newToken } from '../../kernel/crypto/tokens.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { perMinute, perSecondOfChannel } from '../../kernel/rate-limit/limit.ts'
import { buildChannelLookup } from '../channels/service.ts'
import { buildMemberships } from '../organizations/members/service.ts'
import { createAuth } from './service.ts'

const LIMIT = perMinute('authentication', 50)
const REQUEST = { ip: '127.0.0.1', requestId: newId() }

const authenticate = (hub: TestHub, token: string, channelId: string | null = null, limit = LIMIT) =>
  hub.context.auth.authenticateBearer(token, { limit, channelId }, REQUEST)

test('concurrent requests are authenticated each as its own caller, and invalid tokens among them are refused', async (t) => {
  const hub = await startHub(t)
  const [acme, globex, revoked] = [await hub.organization(), await hub.organization(), await hub.organization()]
  await revoked.post(`/api/v1/api-keys/${revoked.keyId}/revoke`)
  const tokens = [acme.key, newToken('api_key'), globex.key, revoked.key, acme.key]

  const outcomes = await Promise.allSettled(tokens.map((token) => authenticate(hub, token)))

  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled'
        ? [outcome.value.principal.organizationId, outcome.value.usage.used]
        : outcome.reason instanceof AppError && outcome.reason.code,
    ),
    [[acme.organizationId, 1], 'UNAUTHORIZED', [globex.organizationId, 1], 'UNAUTHORIZED', [acme.organizationId, 2]],
  )
})

test('each of many concurrent requests gets a different number in the count, across processes', async (t) => {
  const hub = await startHub(t)
  const callers = [await hub.organization(), await hub.organization(), await hub.organization()]
  const other = createAuth({ ...hub.context, now: hub.clock.now, reads: { buildMemberships, buildChannelLookup } })
  const requests = Array.from({ length: 120 }, (_, i) => callers[i % 3]?.key ?? '')

  const authenticated = await Promise.all(
    requests.map((token, i) =>
      i % 2 === 0
        ? authenticate(hub, token)
        : other.authenticateBearer(token, { limit: LIMIT, channelId: null }, REQUEST),
    ),
  )

  for (const { organizationId } of callers) {
    const own = authenticated.filter(({ principal }) => principal.organizationId === organizationId)
    assert.deepEqual(
      own.map(({ usage }) => usage.used).sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, i) => i + 1),
    )
  }
})

test('concurrent requests over the limit count one past it, and do not add up', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  await Promise.all(Array.from({ length: 90 }, () => authenticate(hub, acme.key)))

  const next = await authenticate(hub, acme.key)

  assert.equal(next.usage.used, LIMIT.requests + 1)
})

test("only requests within a credential's limit count against that of its organization, and each gets its number", {
  rules: ['limit.3000-a-minute-per-organization'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, globex] = [await hub.organization(), await hub.organization()]
  const { body } = await acme.post('/api/v1/api-keys', { name: 'other', scopes: ['audit:read'] })
  const limit = { ...perMinute('own', 5), perOrganization: perMinute('shared', 8) }
  const concurrently = (count: number, token: string) =>
    Promise.all(Array.from({ length: count }, () => authenticate(hub, token, null, limit)))
  const numbers = (list: Awaited<ReturnType<typeof concurrently>>) =>
    list.flatMap(({ organizationUsage }) => organizationUsage?.used ?? []).sort((a, b) => a - b)

  const [flood, others] = await Promise.all([concurrently(20, acme.key), concurrently(2, globex.key)])
  const second = await concurrently(5, body.data.secret)
  const recheck = await hub.context.auth.authenticateBearer(
    body.data.secret,
    { limit, channelId: null, isCounted: true },
    REQUEST,
  )

  assert.deepEqual(numbers(flood), [1, 2, 3, 4, 5])
  assert.deepEqual(numbers(others), [1, 2])
  assert.deepEqual(numbers(second), [6, 7, 8, 9, 10])
  assert.ok(recheck.usage.used <= limit.requests)
})

test("a channel's limit counts all callers of its organization", async (t) => {
  const hub = await startHub(t)
  const [acme, globex] = [await hub.organization(), await hub.organization()]
  const created = await acme.post('/api/v1/channels', { name: 'Padaria' })
  const { id, token } = created.body.data.channel
  const limit = perSecondOfChannel('authentication-of-channels', 80)

  const authenticated = await Promise.all([
    authenticate(hub, acme.key, id, limit),
    authenticate(hub, token, null, limit),
    authenticate(hub, globex.key, id, limit),
    authenticate(hub, acme.key, newId(), limit),
  ])

  assert.deepEqual(
    authenticated.map(({ usage }) => usage.used),
    [1, 2, 1, 1],
  )
})

test('the last use of a credential is written at most once a minute, and a locked row delays no request', async (t) => {
  const hub = await startHub(t)
  const [acme, globex] = [await hub.organization(), await hub.organization()]
  const held = await holdTransaction(
    hub.sql,
    (tx) => tx`select 1 from credentials where id = ${globex.keyId} for update`,
  )

  await Promise.all([acme, globex].map(({ key }) => authenticate(hub, key)))
  const meanwhile = await lastUses()
  await held.release()
  await Promise.all([acme, globex].map(({ key }) => authenticate(hub, key)))

  assert.deepEqual([...meanwhile.keys()], [acme.keyId])
  const uses = await lastUses()
  assert.deepEqual([...uses.keys()].sort(), [acme.keyId, globex.keyId].sort())
  assert.equal(uses.get(acme.keyId), meanwhile.get(acme.keyId))

  async function lastUses(): Promise<Map<string, string>> {
    const rows = await hub.sql<{ id: string; last_used_at: string }[]>`
      select id, last_used_at from credentials
      where id in (${acme.keyId}, ${globex.keyId}) and last_used_at is not null`
    return new Map(rows.map((row) => [row.id, row.last_used_at]))
  }
})

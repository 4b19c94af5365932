import Fastify from 'fastify'
import type { Hub } from '../server/src/app/hub.ts'
import { OPERATOR } from '../server/src/domains/audit/initiator.ts'
import { openHub } from './bench-hub.ts'
import type { Benchmark } from './benchmark.ts'
import { gatherStatistics } from './measurement.ts'
import { measureRequestRate } from './request-rate.ts'
import { alternateRounds } from './rounds.ts'

/** Every key and every organization stays below its limit of requests a minute, however fast the rounds are. */
const ORGANIZATIONS = 20
const KEYS_PER_ORGANIZATION = 40
const REQUESTS_PER_ROUND = 2000
const CONCURRENCY = 32

/**
 * The cost of access control: `GET /api/v1/api-keys` with authentication, rate
 * limit, last use, scope, envelope and a discarded log line, against a bare Fastify
 * route that runs one prepared query of the same rows and sends them.
 */
export const gate: Benchmark = {
  name: 'gate',
  summary: 'a request with authentication, rate limit, scope and log line, with a bare route with the same query',
  async run(stand) {
    const hub = await openHub(stand)
    const organizations: Seeded[] = []
    for (let i = 0; i < ORGANIZATIONS; i++) organizations.push(await seedKeys(hub.context))
    const bare = await openBare(hub, organizations)

    const plan = {
      path: '/api/v1/api-keys',
      tokens: interleave(organizations.map(({ tokens }) => tokens)),
      requests: REQUESTS_PER_ROUND,
      concurrency: CONCURRENCY,
    }
    const { bare: base, hub: ours } = await alternateRounds(
      {
        bare: () => measureRequestRate(bare.url, plan),
        hub: () => measureRequestRate(hub.url, plan),
        settle: () => gatherStatistics(stand.sql),
      },
      stand,
    )
    await bare.app.close()
    await hub.stop()
    const what = 'requests/s through the gate, of a bare route with one query'
    return [{ what, measured: ours.perSecond, baseline: base.perSecond }]
  },
}

type Seeded = { organizationId: string; tokens: string[] }

async function seedKeys({ sql, organizations, apiKeys }: Hub['context']): Promise<Seeded> {
  return sql.begin(async (tx) => {
    const { id } = await organizations.create(tx, { name: 'Bench', initiator: OPERATOR })
    const tokens: string[] = []
    for (let i = 0; i < KEYS_PER_ORGANIZATION; i++) {
      const key = { organizationId: id, initiator: OPERATOR, name: `key ${i}`, expiresAt: null }
      tokens.push((await apiKeys.issue(tx, { ...key, scopes: ['api_keys:read'] })).token)
    }
    return { organizationId: id, tokens }
  })
}

/** The baseline: knows the organization of each token beforehand. */
async function openBare({ context }: Hub, organizations: Seeded[]) {
  const owners = new Map(organizations.flatMap(({ organizationId, tokens }) => tokens.map((t) => [t, organizationId])))
  const app = Fastify()
  app.get('/api/v1/api-keys', async ({ headers }) => {
    const organizationId = owners.get(String(headers.authorization).slice('Bearer '.length)) ?? ''
    return { data: await context.apiKeys.list(organizationId, { limit: 50 }) }
  })
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** The first token of each organization, then the second of each. */
function interleave(lists: string[][]): string[] {
  return (lists[0] ?? []).flatMap((_, i) => lists.flatMap((tokens) => tokens[i] ?? []))
}

import Fastify from 'fastify'
import { readConfig } from '../src/app/config/config.ts'
import { toSandboxSettings } from '../src/app/config/upstream-settings.ts'
import { startHub } from '../src/app/hub.ts'
import type { Installation } from '../src/app/installation.ts'
import { OPERATOR } from '../src/domains/audit/initiator.ts'
import { createLogger } from '../src/kernel/logger.ts'
import type { Benchmark } from './benchmark.ts'
import { measureRequestRate } from './request-rate.ts'

const KEYS = 40
const REQUESTS_PER_KEY = 400
const CONCURRENCY = 32

/**
 * The cost of access control: `GET /api/v1/api-keys` with authentication, rate
 * limit, last use, scope, envelope and a discarded log line, against a bare Fastify
 * route that runs one prepared query of the same rows and sends them.
 */
export const gate: Benchmark = {
  name: 'gate',
  goal: 'no goal is set; a ratio to watch',
  async run({ sql, keyRing }) {
    const config = readConfig({ PORT: '0' })
    const installation: Installation = {
      sql,
      keyRing,
      keyFile: undefined,
      location: 'bench',
      applied: [],
      upstream: toSandboxSettings(config, { appId: '0', appSecret: 'none', verifyToken: 'none' }),
      async [Symbol.asyncDispose]() {},
    }
    const hub = await startHub(config, installation, { logger: createLogger('silent') })
    const { organizationId, tokens } = await seedKeys(hub.context)

    const bare = Fastify()
    bare.get('/api/v1/api-keys', async () => ({
      data: await hub.context.apiKeys.list(organizationId, { limit: 50 }),
    }))
    const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 })

    const path = '/api/v1/api-keys'
    const plan = { path, tokens, requestsPerToken: REQUESTS_PER_KEY, concurrency: CONCURRENCY }
    await measureRequestRate(bareUrl, { ...plan, requestsPerToken: 50 })
    const baseline = await measureRequestRate(bareUrl, plan)
    const measured = await measureRequestRate(hub.url, plan)
    await bare.close()
    await hub.stop()
    return [{ what: 'requests/s through the gate, of a bare route with one query', measured, baseline }]
  },
}

async function seedKeys({ sql, organizations, apiKeys }: Awaited<ReturnType<typeof startHub>>['context']) {
  return sql.begin(async (tx) => {
    const { id } = await organizations.create(tx, { name: 'Bench', initiator: OPERATOR })
    const tokens: string[] = []
    for (let i = 0; i < KEYS; i++) {
      const key = { organizationId: id, initiator: OPERATOR, name: `key ${i}`, expiresAt: null }
      tokens.push((await apiKeys.issue(tx, { ...key, scopes: ['api_keys:read'] })).token)
    }
    return { organizationId: id, tokens }
  })
}

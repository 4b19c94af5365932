import { readConfig } from '../src/app/config/config.ts'
import { toSandboxSettings } from '../src/app/config/upstream-settings.ts'
import { startHub } from '../src/app/hub.ts'
import { OPERATOR } from '../src/domains/audit/initiator.ts'
import { SCOPES } from '../src/domains/auth/scopes.ts'
import { openPool } from '../src/kernel/db/pool.ts'
import { createLogger } from '../src/kernel/logger.ts'

/**
 * A hub alone in a process, for tests that measure its memory. It sends its URL
 * and a key to its parent, and after the message `end` by how much its memory grew
 * at most from `begin` on: at `end`, and at each `look` in between. Run it with
 * --expose-gc, so that garbage does not count.
 */
const [target = '', upstream = '{}'] = process.argv.slice(2)
const { url: upstreamUrl, ...app } = JSON.parse(upstream)
const sql = openPool(target, { max: 5, name: 'hub process' })
const config = readConfig({ PORT: '0' })
const hub = await startHub(
  config,
  {
    sql,
    keyRing: () => [{ id: 'test', bytes: Buffer.alloc(32, 7) }],
    keyFile: undefined,
    location: 'a test',
    applied: [],
    upstream: toSandboxSettings(config, app, upstreamUrl),
    async [Symbol.asyncDispose]() {},
  },
  { logger: createLogger('fatal') },
)
const key = await sql.begin(async (tx) => {
  const { id } = await hub.context.organizations.create(tx, { name: 'Acme', initiator: OPERATOR })
  const key = { organizationId: id, initiator: OPERATOR, name: 'test', scopes: [...SCOPES], expiresAt: null }
  return hub.context.apiKeys.issue(tx, key)
})

type Weight = { held: number; rss: number }

function weigh(): Weight {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { held: heapUsed + external, rss }
}

let looks: Weight[] = []
const orders: Record<string, () => unknown> = {
  begin() {
    looks = [weigh()]
  },
  look() {
    looks.push(weigh())
  },
  end() {
    looks.push(weigh())
    const [first] = looks
    const grown = (of: keyof Weight) => Math.max(...looks.map((look) => look[of])) - (first?.[of] ?? 0)
    return { heldGrown: grown('held'), rssGrown: grown('rss'), looks: looks.length }
  },
}
process.on('message', (order: string) => process.send?.(orders[order]?.() ?? {}))
process.send?.({ url: hub.url, key: key.token })

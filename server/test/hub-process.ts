import { readConfig } from '../src/app/config/config.ts'
import { toSandboxSettings } from '../src/app/config/upstream-settings.ts'
import { startHub } from '../src/app/hub.ts'
import { OPERATOR } from '../src/domains/audit/initiator.ts'
import { SCOPES } from '../src/domains/auth/scopes.ts'
import { openPool } from '../src/kernel/db/pool.ts'
import { createLogger } from '../src/kernel/logger.ts'

/**
 * A hub alone in a process, for tests that measure its memory. It sends its URL
 * and a key to its parent, and after the messages `begin` and `end` by how much its
 * memory grew at most in between. Run it with --expose-gc, so that garbage does
 * not count.
 */
const LOOK_EVERY_MS = '20'

const [target = '', upstream = '{}', lookEveryMs = LOOK_EVERY_MS] = process.argv.slice(2)
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
let timer: NodeJS.Timeout | undefined
const orders: Record<string, () => unknown> = {
  begin() {
    looks = [weigh()]
    timer = setInterval(() => looks.push(weigh()), Number(lookEveryMs))
    return { isWatching: true }
  },
  end() {
    clearInterval(timer)
    const [first] = looks
    const grown = (of: keyof Weight) => Math.max(...looks.map((look) => look[of])) - (first?.[of] ?? 0)
    return { heldGrown: grown('held'), rssGrown: grown('rss'), looks: looks.length }
  },
}
process.on('message', (order: string) => process.send?.(orders[order]?.() ?? {}))
process.send?.({ url: hub.url, key: key.token })

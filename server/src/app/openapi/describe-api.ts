import { systemClock } from '../../kernel/clock.ts'
import type { KeyRing } from '../../kernel/crypto/key-ring.ts'
import { openPool } from '../../kernel/db/pool.ts'
import { createLogger } from '../../kernel/logger.ts'
import { readConfig } from '../config/config.ts'
import { toSandboxSettings } from '../config/upstream-settings.ts'
import { createContext } from '../context.ts'
import { createDrain } from '../http/drain.ts'
import { createHttp } from '../http/http.ts'

/** The OpenAPI document of this version, as text. It needs no database: routes are described, not called. */
export async function describeApi(): Promise<string> {
  const config = readConfig({})
  const keyRing = (): KeyRing => [{ id: 'none', bytes: Buffer.alloc(32) }]
  await using sql = disposable(openPool('postgres://hub@127.0.0.1:1/none', { max: 1, name: 'describe' }))
  const logger = createLogger('silent')
  const upstream = toSandboxSettings(config, { appId: '', appSecret: '', verifyToken: '' })
  await using context = createContext(config, { sql: sql.pool, keyRing, now: systemClock, upstream, logger })
  const app = await createHttp(context, config, { logger, drain: createDrain() })
  await app.ready()
  const document = app.swagger()
  await app.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

function disposable(pool: ReturnType<typeof openPool>) {
  return { pool, [Symbol.asyncDispose]: () => pool.end() }
}

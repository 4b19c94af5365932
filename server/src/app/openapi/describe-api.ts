import { systemClock } from '../../kernel/clock.ts'
import type { KeyRing } from '../../kernel/crypto/key-ring.ts'
import { openPool } from '../../kernel/db/pool.ts'
import { createLogger } from '../../kernel/logger.ts'
import { readConfig } from '../config/config.ts'
import { toSandboxSettings } from '../config/upstream-settings.ts'
import { createContext } from '../context.ts'
import { createDrain } from '../http/drain.ts'
import { createHttp } from '../http/http.ts'
import type { Document } from './document.ts'
import { splitDocument } from './split-document.ts'

/** The documents of this version by the names of their files, as text. They need no database: routes are described, not called. */
export type Descriptions = { 'openapi.json': string; 'openapi-console.json': string }

export async function describeApi(): Promise<Descriptions> {
  const config = readConfig({})
  const keyRing = (): KeyRing => [{ id: 'none', bytes: Buffer.alloc(32) }]
  await using sql = disposable(openPool('postgres://hub@127.0.0.1:1/none', { max: 1, name: 'describe' }))
  const logger = createLogger('silent')
  const upstream = toSandboxSettings(config, { appId: '', appSecret: '', verifyToken: '' })
  await using context = createContext(config, { sql: sql.pool, keyRing, now: systemClock, upstream, logger })
  const app = await createHttp(context, config, { logger, drain: createDrain() })
  await app.ready()
  const { api, console } = splitDocument(app.swagger())
  await app.close()
  return { 'openapi.json': toText(api), 'openapi-console.json': toText(console) }
}

function toText(document: Document): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function disposable(pool: ReturnType<typeof openPool>) {
  return { pool, [Symbol.asyncDispose]: () => pool.end() }
}

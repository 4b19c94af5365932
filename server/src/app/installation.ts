import { join } from 'node:path'
import { type KeyRing, openKeyRingFile } from '../kernel/crypto/key-ring.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../kernel/db/migrate.ts'
import { isDatabaseAway, openPool, type Pool, readSqlState } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Config } from './config/config.ts'
import { type PaymentSettings, paymentSettings, sandboxPayments } from './config/payment-settings.ts'
import { type UpstreamSettings, upstreamSettings } from './config/upstream-settings.ts'

const POOL_SIZE = 20

/** SQLSTATEs of a wrong password, a database that is not there, and missing rights. */
const OPERATORS_MISTAKES = ['28', '3D', '42501']

/** What an installation has when no process runs: its database, its sealing keys, its upstream. */
export type Installation = AsyncDisposable & {
  sql: Pool
  keyRing: () => KeyRing
  /** Undefined where the operator keeps the keys in SEALING_KEYS. */
  keyFile: ReturnType<typeof openKeyRingFile> | undefined
  /** Where the data lies, in words that give no secret away. */
  place: string
  applied: string[]
  upstream: UpstreamSettings
  payments?: PaymentSettings | undefined
}

/** A reason not to start that needs no stack: its message is the whole story. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

export async function openInstallation(
  config: Config,
  { logger, name, isHub }: { logger: Logger; name: string; isHub: boolean },
): Promise<Installation> {
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir, { logger, isHub })
  const sql = openPool(config.databaseUrl ?? embedded?.url ?? '', { max: POOL_SIZE, name })
  async function close(): Promise<void> {
    await sql.end({ timeout: 5 })
    await embedded?.[Symbol.asyncDispose]()
  }
  try {
    const { applied } = await migrate(sql)
    const keyFile = config.sealingKeys ? undefined : openKeyRingFile(join(config.dataDir, 'sealing-keys'))
    keyFile?.createIfMissing()
    return {
      sql,
      keyRing: keyFile ? keyFile.read : ringOf(config),
      keyFile,
      place: embedded?.directory ?? databasePlace(config.databaseUrl ?? ''),
      applied,
      upstream: upstreamSettings(config),
      payments: paymentSettings(config, config.billing === 'sandbox' ? sandboxPayments(config.dataDir) : undefined),
      [Symbol.asyncDispose]: close,
    }
  } catch (err) {
    await close()
    throw config.databaseUrl ? unusable(config.databaseUrl, err) : err
  }
}

/** Whatever keeps the embedded database from starting is told in one sentence, which needs no stack. */
async function openEmbedded(dataDir: string, o: { logger: Logger; isHub: boolean }): Promise<EmbeddedPostgres> {
  let embedded: EmbeddedPostgres | undefined
  try {
    embedded = await openEmbeddedPostgres({ dataDir, log: (line) => o.logger.info({ line }, 'embedded database') })
    if (o.isHub) await embedded.claimHub()
    return embedded
  } catch (err) {
    await embedded?.[Symbol.asyncDispose]()
    throw new CannotStart(err instanceof Error ? err.message : String(err), { cause: err })
  }
}

function ringOf({ sealingKeys }: Config): () => KeyRing {
  if (!sealingKeys) throw new CannotStart('SEALING_KEYS is missing')
  return () => sealingKeys
}

function databasePlace(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}`
}

/** Where the operator's own database is not to be had, the reason is theirs to mend: one sentence, and no stack. */
function unusable(databaseUrl: string, err: unknown): unknown {
  const place = databasePlace(databaseUrl)
  if (isDatabaseAway(err)) {
    const code = err instanceof Error && 'code' in err ? ` (${String(err.code)})` : ''
    return new CannotStart(`The ${place} cannot be reached${code}`, { cause: err })
  }
  const isRefusal = OPERATORS_MISTAKES.some((state) => readSqlState(err)?.startsWith(state))
  return isRefusal && err instanceof Error
    ? new CannotStart(`The ${place} refuses: ${err.message}`, { cause: err })
    : err
}

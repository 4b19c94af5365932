import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateCards } from '../domains/costs/rates/rate-card.ts'
import type { SimulatorControl } from '../domains/sandbox/simulator.ts'
import { systemClock } from '../kernel/clock.ts'
import { listKeyProofs } from '../kernel/crypto/key-check.ts'
import { type KeyRing, openKeyRingFile } from '../kernel/crypto/key-ring.ts'
import { describeTarget, parseDatabaseUrl } from '../kernel/db/connection-url.ts'
import { readNextTransaction } from '../kernel/db/database-facts.ts'
import { isLimit } from '../kernel/db/driver/connections.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../kernel/db/embedded/embedded-postgres.ts'
import { type MigrateOptions, migrate, migrateBeforeServing, planMigrations } from '../kernel/db/migrate.ts'
import { isClockMoved } from '../kernel/db/moved-clock.ts'
import { isDatabaseUnavailable, openPool, type Pool, readSqlState } from '../kernel/db/pool.ts'
import { detectPooler, storeSessionSettings } from '../kernel/db/pooler.ts'
import type { Logger } from '../kernel/logger.ts'
import { buildBackupsPath } from './backup/backups.ts'
import { backUpEmbedded } from './backup/embedded.ts'
import { holdIfRestored } from './backup/restored.ts'
import { beginUpgrade, endUpgrade, failUpgrade, findBackupBeforeUpgrade } from './backup/upgrade.ts'
import { CannotRun } from './cannot-run.ts'
import type { Config } from './config/config.ts'
import { loadSandboxPayments, type PaymentSettings, toPaymentSettings } from './config/payment-settings.ts'
import { loadRateCards } from './config/rate-card-file.ts'
import { toUpstreamSettings, type UpstreamSettings } from './config/upstream-settings.ts'

export const POOL_SIZE = 20
const MIGRATION_RETRY_MS = 60_000

/** SQLSTATEs of a wrong password, a missing database and missing privileges. */
const OPERATOR_ERROR_STATES = ['28', '3D', '42501']

/** The parts that exist without a running process: the database, the sealing keys and the upstream. */
export type Installation = AsyncDisposable & {
  sql: Pool
  keyRing: () => KeyRing
  /** Undefined if SEALING_KEYS is set. */
  keyFile: ReturnType<typeof openKeyRingFile> | undefined
  /** The location of the data, without secrets. */
  location: string
  applied: string[]
  upstream: UpstreamSettings
  payments?: PaymentSettings | undefined
  /** The simulator in this process, if it is the upstream. */
  simulator?: SimulatorControl | undefined
  rateCards?: RateCards | undefined
}

/** A reason not to start that the operator can fix. Its message is printed without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

type Options = {
  logger: Logger
  name: string
  /** A hub serves while online migrations are applied; a command leaves them to it. */
  isHub: boolean
  /** Waits for every migration, and hears of each step. */
  onMigrationStep?: MigrateOptions['onStep']
  /** False: migrations of the hub's own database are applied without a backup. */
  backsUp?: boolean
  /** The directory of the migrations, for tests. */
  migrations?: { directory: string }
}

/** The database as it is: nothing was migrated. */
type OpenDatabase = AsyncDisposable & { sql: Pool; embedded: EmbeddedPostgres | undefined }

export async function openDatabase(
  config: Config,
  { logger, name, isHub }: Pick<Options, 'logger' | 'name' | 'isHub'>,
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir, { logger, isHub })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  const directUrl = config.databaseDirectUrl ?? url
  const onLimit = (connections: number) =>
    logger.warn({ connections }, 'the database refuses more connections, so the hub makes do with these')
  const sql = openPool(url, { max: POOL_SIZE, name, directUrl, onLimit })
  return {
    sql,
    embedded,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 })
      await embedded?.[Symbol.asyncDispose]()
    },
  }
}

export async function openInstallation(config: Config, options: Options): Promise<Installation> {
  const { logger, name, isHub, onMigrationStep, backsUp = true, migrations } = options
  const rateCards = isHub ? loadRateCards(config.costsFile) : undefined
  const database = await openDatabase(config, options)
  const { sql, embedded } = database
  const stopped = new AbortController()
  let finishing: Promise<void> | undefined
  async function close(): Promise<void> {
    stopped.abort()
    await finishing
    await database[Symbol.asyncDispose]()
  }
  try {
    await preparePooler(sql, config, name)
    if (embedded && backsUp)
      await backUpBeforeMigrations({ sql, embedded, dataDir: config.dataDir, logger, migrations })
    const migrating = onMigrationStep
      ? migrate(sql, { ...migrations, onStep: onMigrationStep }).then(({ applied }) => ({ applied, later: [] }))
      : migrateBeforeServing(sql, migrations)
    const { applied, later } = await migrating.catch(async (err) => {
      if (embedded) await recordFailure(sql, config.dataDir)
      throw err
    })
    if (embedded) await endUpgrade(config.dataDir)
    const location = embedded?.directory ?? describeLocation(config.databaseUrl ?? '')
    await refuseMovedClock(sql, location)
    await holdIfRestored({ sql, directory: embedded?.directory, logger })
    if (isHub && later.length > 0) finishing = finishMigrations(sql, logger, { ...migrations, signal: stopped.signal })
    const keyFile = config.sealingKeys ? undefined : openKeyRingFile(join(config.dataDir, 'sealing-keys'))
    keyFile?.createIfMissing()
    return {
      sql,
      keyRing: keyFile ? keyFile.read : requireKeyRing(config),
      keyFile,
      location,
      applied,
      upstream: toUpstreamSettings(config),
      payments: toPaymentSettings(
        config,
        config.billing === 'sandbox' ? loadSandboxPayments(config.dataDir) : undefined,
      ),
      rateCards,
      [Symbol.asyncDispose]: close,
    }
  } catch (err) {
    await close()
    throw config.databaseUrl ? toStartError(config.databaseUrl, err) : err
  }
}

/**
 * A pooler in transaction mode needs a way past it, for what belongs to a session. It passes no settings of a session on, so
 * they become those of the account.
 */
async function preparePooler(sql: Pool, { databaseUrl, databaseDirectUrl }: Config, name: string): Promise<void> {
  if (!databaseUrl) return
  const pooler = await detectPooler(databaseUrl, name)
  if (databaseDirectUrl && (await detectPooler(databaseDirectUrl, name)).startsWith('transaction')) {
    throw new CannotStart(
      'DATABASE_DIRECT_URL leads to a connection pooler in transaction mode, not to the database itself',
    )
  }
  if (pooler === 'transaction without prepared statements') {
    throw new CannotStart(
      'The connection pooler in DATABASE_URL is in transaction mode without prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements, or its session mode',
    )
  }
  if (pooler !== 'transaction') return
  if (!databaseDirectUrl) {
    throw new CannotStart(
      'DATABASE_URL leads to a connection pooler in transaction mode: set DATABASE_DIRECT_URL to the database itself, for locks, notifications and migrations',
    )
  }
  const refused = await storeSessionSettings(sql)
  if (refused.length > 0) {
    throw new CannotStart(
      `The account of DATABASE_URL may not store the settings that a connection pooler does not pass on. An administrator can: ${refused.join('; ')}`,
    )
  }
}

type Migrated = {
  sql: Pool
  embedded: EmbeddedPostgres
  dataDir: string
  logger: Logger
  migrations: Options['migrations'] | undefined
}

/** Migrations only go forward: the way back is this backup. A new database needs none, and an upgrade that failed has one. */
async function backUpBeforeMigrations({ sql, embedded, dataDir, logger, migrations }: Migrated): Promise<void> {
  const plan = await planMigrations(sql, migrations)
  if (plan.applied === 0 || !plan.pending.some(({ runs }) => runs === 'before serving')) return
  const nextTransaction = await readNextTransaction(sql)
  const present = await findBackupBeforeUpgrade(dataDir, { applied: plan.applied, nextTransaction })
  if (present !== undefined) {
    logger.warn({ backup: present }, 'an upgrade that failed goes on: the backup from before it stays the way back')
    return
  }
  try {
    const { path } = await backUpEmbedded(embedded, buildBackupsPath(dataDir), systemClock(), await listKeyProofs(sql))
    await beginUpgrade(dataDir, { backup: path, applied: plan.applied })
    logger.warn({ backup: path }, 'the database was backed up before its migrations')
  } catch (err) {
    if (!(err instanceof CannotRun)) throw err
    const way = 'To go without a backup: npm run admin -- migrate --without-backup'
    throw new CannotStart(`The database has to be backed up before its migrations. ${err.message} ${way}`, {
      cause: err,
    })
  }
}

/** A process was killed while it made sample data: there is a part of it, and the clock is that of another day. */
async function refuseMovedClock(sql: Pool, location: string): Promise<void> {
  if (!(await isClockMoved(sql))) return
  throw new CannotStart(
    `A start with --sample-data was interrupted, so the database has a part of that data and nothing else (${location}). Delete it, or set DATA_DIR to a new directory`,
  )
}

/** A failure to record it is not what has to be told. */
async function recordFailure(sql: Pool, dataDir: string): Promise<void> {
  await readNextTransaction(sql)
    .then((next) => failUpgrade(dataDir, next))
    .catch(() => undefined)
}

/** Applies what can be applied beside traffic. A failure costs speed at most, so that the hub serves and tries again. */
async function finishMigrations(
  sql: Pool,
  logger: Logger,
  options: MigrateOptions & { signal: AbortSignal },
): Promise<void> {
  const { signal } = options
  const onStep = (migration: string, step: string) => logger.info({ migration, step }, 'online migration')
  for (;;) {
    try {
      const { applied } = await migrate(sql, { ...options, onStep })
      logger.info({ migrations: applied }, 'online migrations applied')
      return
    } catch (err) {
      if (signal.aborted) return
      logger.error({ err }, 'an online migration failed and is tried again')
    }
    await sleep(MIGRATION_RETRY_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
}

/** Any failure of the embedded database becomes one sentence without a stack. */
async function openEmbedded(dataDir: string, options: { logger: Logger; isHub: boolean }): Promise<EmbeddedPostgres> {
  let embedded: EmbeddedPostgres | undefined
  try {
    embedded = await openEmbeddedPostgres({
      dataDir,
      log: (line) => options.logger.info({ line }, 'embedded database'),
    })
    if (options.isHub) await embedded.claimHub()
    return embedded
  } catch (err) {
    await embedded?.[Symbol.asyncDispose]()
    throw new CannotStart(err instanceof Error ? err.message : String(err), { cause: err })
  }
}

function requireKeyRing({ sealingKeys }: Config): () => KeyRing {
  if (!sealingKeys) throw new CannotStart('SEALING_KEYS is missing')
  return () => sealingKeys
}

function describeLocation(databaseUrl: string): string {
  return `PostgreSQL at ${describeTarget(parseDatabaseUrl(databaseUrl))}`
}

/** The operator's database cannot be used: one sentence without a stack if the operator can fix it. */
function toStartError(databaseUrl: string, err: unknown): unknown {
  const location = describeLocation(databaseUrl)
  const isRefusal = isLimit(err) || OPERATOR_ERROR_STATES.some((state) => readSqlState(err)?.startsWith(state))
  if (isRefusal && err instanceof Error) {
    return new CannotStart(`The ${location} refuses: ${err.message}`, { cause: err })
  }
  if (!isDatabaseUnavailable(err)) return err
  const code = err instanceof Error && 'code' in err ? ` (${String(err.code)})` : ''
  return new CannotStart(`The ${location} cannot be reached${code}`, { cause: err })
}

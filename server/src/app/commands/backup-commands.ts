import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { findUnprovenKeys, listKeyProofs } from '../../kernel/crypto/key-check.ts'
import { type KeyRing, openKeyRingFile } from '../../kernel/crypto/key-ring.ts'
import { planMigrations } from '../../kernel/db/migrate.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type Backup, findBackup, makeBackup, requireComplete } from '../backup/backups.ts'
import { dumpDatabase, restoreDump } from '../backup/dump.ts'
import { backUpEmbedded, restoreEmbedded } from '../backup/embedded.ts'
import { holdRestored } from '../backup/restored.ts'
import { CannotRun } from '../cannot-run.ts'
import type { Config } from '../config/config.ts'
import { openDatabase, openInstallation } from '../installation.ts'

const NAME = 'hubline admin'
const KEY_FILE = 'sealing-keys'

/** The environment of a command that opens the database itself: without migrations, or not at all. */
export type AloneTarget = { config: Config; env: NodeJS.ProcessEnv; logger: Logger }
type Values = Record<string, string | undefined>

export async function backUp({ config, env, logger }: AloneTarget, { directory = '' }: Values) {
  const now = systemClock()
  await using database = await openDatabase(config, { logger, name: NAME, isHub: false })
  const sealingKeys = await listKeyProofs(database.sql)
  const fill = (path: string) => dumpDatabase({ url: readDirectUrl(config), env }, path)
  const { path, deleted } = database.embedded
    ? await backUpEmbedded(database.embedded, directory, now, sealingKeys)
    : await makeBackup(directory, { kind: 'dump', now, fill, sealingKeys })
  const keys = describeKeys(config)
  warn(
    `THE SEALING KEYS ARE NOT IN THIS BACKUP. Without ${keys} every stored credential in it is lost: keep a copy apart.`,
  )
  return { backup: path, deleted, sealing_keys: keys }
}

export async function restore({ config, env, logger }: AloneTarget, { directory = '' }: Values) {
  const backup = await findBackup(directory)
  if (!backup) throw new CannotRun(`There is no whole backup in ${directory}.`)
  const { path, manifest } = backup
  const kind = config.databaseUrl ? 'dump' : 'embedded'
  if (manifest.kind !== kind) throw new CannotRun(`${path} is ${KINDS[manifest.kind]}, and ${PLACES[kind]}.`)
  await requireComplete(backup)
  requireSealingKeys(config, backup)
  const replaced = config.databaseUrl
    ? await restoreDump({ url: readDirectUrl(config), env }, path).then(() => null)
    : await restoreEmbedded(config.dataDir, path, systemClock())
  const held = await setHold(config, logger)
  const { version, created_at } = manifest
  warn(
    held
      ? `THE HUB IS ON HOLD. It needs ${describeKeys(config)} of that time. Read docs/guides/backup.md before you release it.`
      : `THE HUB IS NOT ON HOLD: version ${version}, which made the backup, knows no hold. Its start sends and delivers.`,
  )
  return { restored: path, version, created_at, replaced, held }
}

export async function migrateNow(
  { config, logger }: AloneTarget,
  values: Values,
  onMigrationStep: (migration: string, step: string) => void,
) {
  if (values.plan === undefined) {
    const options = {
      logger,
      name: NAME,
      isHub: false,
      onMigrationStep,
      backsUp: values['without-backup'] === undefined,
    }
    await using installation = await openInstallation(config, options)
    return { applied: installation.applied }
  }
  await using database = await openDatabase(config, { logger, name: NAME, isHub: false })
  const { pending } = await planMigrations(database.sql)
  return { migrations: pending }
}

const KINDS = {
  dump: 'a dump of a PostgreSQL of your own',
  embedded: 'a copy of the database that the hub runs itself',
}
const PLACES = {
  dump: 'DATABASE_URL is set: restore it without DATABASE_URL, into DATA_DIR',
  embedded: 'DATABASE_URL is not set: set it to an empty database',
}

/** Without a key, what is sealed with it in the backup is lost; a hub that starts beside it would make a new one. */
function requireSealingKeys(config: Config, { path, manifest }: Backup): void {
  const missing = findUnprovenKeys(manifest.sealing_keys ?? [], config.sealingKeys ?? readKeyFile(config))
  if (missing.length === 0) return
  const place = describeKeys(config)
  const keys = missing.length === 1 ? 'the sealing key' : 'the sealing keys'
  throw new CannotRun(
    `${path} needs ${keys} ${missing.join(', ')}, which ${place} does not have, or has with other bytes. Nothing was changed. Put the keys of that time into ${place}, and restore again.`,
  )
}

function readKeyFile({ dataDir }: Config): KeyRing | undefined {
  const path = join(dataDir, KEY_FILE)
  return existsSync(path) ? openKeyRingFile(path).read() : undefined
}

async function setHold(config: Config, logger: Logger): Promise<boolean> {
  await using database = await openDatabase(config, { logger, name: NAME, isHub: false })
  return await holdRestored({ sql: database.sql, directory: database.embedded?.directory, logger })
}

function readDirectUrl({ databaseUrl = '', databaseDirectUrl }: Config): string {
  return databaseDirectUrl ?? databaseUrl
}

function describeKeys({ sealingKeys, dataDir }: Config): string {
  return sealingKeys ? 'SEALING_KEYS' : join(dataDir, KEY_FILE)
}

/** Standard output has nothing but the result. */
function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

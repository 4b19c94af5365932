import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBackupsPath, findBackup } from './backups.ts'

/**
 * An upgrade that has begun: the backup from before it, how many migrations that has, and, once the upgrade has failed, the next
 * transaction of the database at that moment.
 */
type Upgrade = { backup: string; applied: number; failedAt?: string }

/** The state of a database before its migrations. */
export type DatabaseState = { applied: number; nextTransaction: string }

export async function beginUpgrade(dataDir: string, upgrade: Upgrade): Promise<void> {
  await writeFile(buildPath(dataDir), `${JSON.stringify(upgrade)}\n`)
}

export async function failUpgrade(dataDir: string, nextTransaction: string): Promise<void> {
  const upgrade = await readUpgrade(dataDir)
  if (upgrade) await beginUpgrade(dataDir, { ...upgrade, failedAt: nextTransaction })
}

/** Every start after which no migration is missing ends it: what the hub stores from then on is not in the backup. */
export async function endUpgrade(dataDir: string): Promise<void> {
  await rm(buildPath(dataDir), { force: true })
}

/**
 * The backup from before an upgrade that has failed, if it is still the way back. One that applied some of its migrations leaves
 * no hub that could have served since. One that failed at the first leaves the database to the version before, which may have
 * served since: then there is another transaction.
 */
export async function findBackupBeforeUpgrade(dataDir: string, state: DatabaseState): Promise<string | undefined> {
  const upgrade = await readUpgrade(dataDir)
  if (!upgrade) return undefined
  const isUnchanged = upgrade.applied === state.applied && upgrade.failedAt === state.nextTransaction
  if (!isUnchanged && upgrade.applied >= state.applied) return undefined
  return (await findBackup(upgrade.backup))?.path
}

async function readUpgrade(dataDir: string): Promise<Upgrade | undefined> {
  try {
    const { backup, applied, failedAt }: Partial<Record<keyof Upgrade, unknown>> =
      JSON.parse(await readFile(buildPath(dataDir), 'utf8')) ?? {}
    if (typeof backup !== 'string' || typeof applied !== 'number') return undefined
    return { backup, applied, ...(typeof failedAt === 'string' && { failedAt }) }
  } catch {
    // It is missing, or a process was killed while it wrote it, before any migration.
    return undefined
  }
}

function buildPath(dataDir: string): string {
  return join(buildBackupsPath(dataDir), 'upgrade.json')
}

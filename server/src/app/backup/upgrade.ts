import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBackupsPath, findBackup } from './backups.ts'

/** An upgrade that has begun: the backup from before it, and how many migrations that has. */
type Upgrade = { backup: string; applied: number }

export async function beginUpgrade(dataDir: string, upgrade: Upgrade): Promise<void> {
  await writeFile(buildPath(dataDir), `${JSON.stringify(upgrade)}\n`)
}

/** Every start after which no migration is missing ends it: what the hub stores from then on is not in the backup. */
export async function endUpgrade(dataDir: string): Promise<void> {
  await rm(buildPath(dataDir), { force: true })
}

/**
 * The backup from before an upgrade that has applied some of its migrations and then failed. No hub has served since, so it is
 * still the way back, and another one would have those migrations.
 */
export async function findBackupBeforeUpgrade(dataDir: string, applied: number): Promise<string | undefined> {
  const upgrade = await readUpgrade(dataDir)
  if (!upgrade || upgrade.applied >= applied) return undefined
  return (await findBackup(upgrade.backup))?.path
}

async function readUpgrade(dataDir: string): Promise<Upgrade | undefined> {
  try {
    const { backup, applied }: Partial<Record<keyof Upgrade, unknown>> =
      JSON.parse(await readFile(buildPath(dataDir), 'utf8')) ?? {}
    return typeof backup === 'string' && typeof applied === 'number' ? { backup, applied } : undefined
  } catch {
    // It is missing, or a process was killed while it wrote it, before any migration.
    return undefined
  }
}

function buildPath(dataDir: string): string {
  return join(buildBackupsPath(dataDir), 'upgrade.json')
}

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyProof } from '../../kernel/crypto/key-check.ts'
import { measureTree } from '../../kernel/db/embedded/copies.ts'
import { type EmbeddedPostgres, replaceEmbeddedDatabase } from '../../kernel/db/embedded/embedded-postgres.ts'
import { CannotRun } from '../cannot-run.ts'
import { buildReplacedPath, countMissingBytes, makeBackup } from './backups.ts'
import { endUpgrade } from './upgrade.ts'

/** Copies the files of the hub's own database to a new directory below `directory`. Hubs go on meanwhile. */
export async function backUpEmbedded(
  embedded: EmbeddedPostgres,
  directory: string,
  now: Date,
  sealingKeys: KeyProof[] = [],
) {
  await requireSpace(directory, await measureTree(join(embedded.directory, 'data')))
  return makeBackup(directory, { kind: 'embedded', now, fill: (path) => embedded.copyTo(path), sealingKeys })
}

/** Returns the place to which the present database was moved. */
export async function restoreEmbedded(dataDir: string, backup: string, now: Date): Promise<string> {
  await requireSpace(dataDir, await measureTree(join(backup, 'data')))
  const aside = buildReplacedPath(dataDir, now)
  try {
    await replaceEmbeddedDatabase({ dataDir }, backup, aside)
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err)
    const isMoved = await stat(aside).then(
      () => true,
      () => false,
    )
    throw new CannotRun(isMoved ? `${message} The database that was in its place is in ${aside}.` : message, {
      cause: err,
    })
  }
  await endUpgrade(dataDir)
  // The greeting of a later start must not show what the old server wrote last.
  await rm(join(dataDir, 'postgres.log'), { force: true })
  return aside
}

async function requireSpace(directory: string, bytes: number): Promise<void> {
  const missing = await countMissingBytes(directory, bytes)
  if (missing > 0) {
    throw new CannotRun(`The disk of ${directory} needs ${toMegabytes(missing)} MB more free space for the copy.`)
  }
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}

import { execFile } from 'node:child_process'
import {
  chown,
  constants,
  copyFile,
  lchown,
  mkdir,
  readdir,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseDatabaseUrl } from '../connection-url.ts'
import { openConnection } from '../driver/connection.ts'
import type { Account } from './account.ts'

/** They belong to the running server, and would keep the copy from starting. */
const SKIPPED_FILES = new Set(['postmaster.pid', 'postmaster.opts', 'current_logfiles'])
/** Their content is of the running server alone, or is copied at the end. */
const EMPTY_DIRECTORIES = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const TEMPORARY_PREFIX = 'pgsql_tmp'

const execute = promisify(execFile)

/**
 * Copies the files of a running server to a new directory, as its base backup: the copy has the write-ahead log that it needs, and
 * replays it at its first start. The hub goes on meanwhile.
 */
export async function copyRunningDatabase(
  { url, directory }: { url: string; directory: string },
  to: string,
): Promise<void> {
  const data = join(directory, 'data')
  await mkdir(to, { mode: 0o700 })
  const connection = await openConnection(parseDatabaseUrl(url), { name: 'hubline backup', statementTimeoutMs: 0 })
  try {
    const { sql } = connection
    // It keeps the write-ahead log from here on, and is gone with the session.
    await sql`select pg_create_physical_replication_slot('hubline_backup_' || pg_backend_pid(), true, true)`
    await sql`select pg_backup_start('hubline', true)`
    await copyTree(data, to, { isTop: true, isLive: true })
    const [stopped] = await sql<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`
    await copyTree(join(data, 'pg_wal'), join(to, 'pg_wal'), { isTop: false, isLive: true })
    await writeFile(join(to, 'backup_label'), stopped?.label ?? '', { mode: 0o600 })
  } finally {
    await connection.end()
  }
  await syncFiles(to)
}

/** Copies the files of a backup, which nothing changes, for the account of a server. */
export async function copyBackup(from: string, to: string, account: Account): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await copyTree(from, to, { isTop: false, isLive: false })
  if (account) await changeOwner(to, account)
  await syncFiles(to)
}

export type TreeSize = { files: number; bytes: number }

/** The bytes of all files, without those that vanish meanwhile. */
export async function measureTree(directory: string): Promise<number> {
  return (await measureFiles(directory)).bytes
}

export async function measureFiles(directory: string): Promise<TreeSize> {
  const size = { files: 0, bytes: 0 }
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => [])) {
    const found = entry.isFile() ? await stat(join(entry.parentPath, entry.name)).catch(() => undefined) : undefined
    if (!found) continue
    size.files++
    size.bytes += found.size
  }
  return size
}

/** Only what a running server uses may vanish: a file that is missing elsewhere, or a target that is removed, is an error. */
async function copyTree(
  from: string,
  to: string,
  { isTop, isLive }: { isTop: boolean; isLive: boolean },
): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.name.startsWith(TEMPORARY_PREFIX) || (isTop && SKIPPED_FILES.has(entry.name))) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700, recursive: isLive })
      if (!isTop || !EMPTY_DIRECTORIES.has(entry.name)) await copyTree(source, target, { isTop: false, isLive })
    } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isFile()) {
      const copying = copyFile(source, target, constants.COPYFILE_FICLONE)
      await (isLive ? copying.catch(ignoreVanished) : copying)
    }
  }
}

/** A table that was dropped, or a segment of the log that is not needed. What the copy needs, the log brings back. */
function ignoreVanished(err: unknown): void {
  if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err
}

async function changeOwner(directory: string, { uid, gid }: NonNullable<Account>): Promise<void> {
  await chown(directory, uid, gid)
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  }
}

/** Only GNU and BusyBox know the option, and elsewhere everything is written. */
async function syncFiles(directory: string): Promise<void> {
  await execute('sync', ['-f', directory]).catch(() => execute('sync'))
}

import { randomBytes } from 'node:crypto'
import {
  access,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDirectory } from '../../directories.ts'
import { markDirectory } from '../restore-mark.ts'
import { type Account, canWriteTo, findAccountForNewDatabase, findDatabaseOwner, runAs } from './account.ts'
import { type Binaries, claimSystemDir, findPackagedBinaries, findUsableBinaries } from './binaries.ts'
import { copyBackup } from './copies.ts'
import { refuseDuringRestore } from './restore-lock.ts'

export const SUPERUSER = 'hubline'

const TEMPORARY_PREFIX = 'postgres.new-'
/** A copy that is complete and has not taken its place yet, and its password. A start with a database removes both. */
const WHOLE_COPY = `${TEMPORARY_PREFIX}restored`
const WHOLE_COPY_PASSWORD = `${WHOLE_COPY}.password`

/**
 * A database and what is needed to run it. The data directory contains
 * `postgres` (the cluster directory: the socket and, in `data`, PostgreSQL's files; owned by
 * the account, possibly a symbolic link), `postgres.password` and
 * `postgres.log` (both owned by the hub).
 */
export type Cluster = { clusterDir: string; account: Account; binaries: Binaries; password: string; logFile: string }

export type Directories = { dataDir: string; nativeDir?: string | undefined; systemDirs: string[] }

type TemporaryDir = { path: string; clusterDir: string }

/**
 * Finds the database of a data directory, or creates it. No lock is needed: a
 * process creates a directory under a random name and moves it into place in one
 * step. Of several processes the first wins, and the others use its database.
 * Temporary directories of killed processes are removed.
 */
export async function prepareCluster(directories: Directories & { durable: boolean }): Promise<Cluster> {
  const { dataDir } = directories
  await requireWritable(dataDir)
  await refuseDuringRestore(dataDir)
  await finishReplacement(dataDir)
  const password = await ensurePassword(join(dataDir, 'postgres.password'))
  const native = directories.nativeDir ?? (await findPackagedBinaries())

  let clusterDir = await findClusterDir(dataDir)
  if (!clusterDir) {
    const account = await findAccountForNewDatabase()
    const binaries = await findUsableBinaries(native, account, directories.systemDirs)
    clusterDir = await initializeClusterDir({ ...directories, account, binaries, password })
  }

  const account = await findDatabaseOwner(join(clusterDir, 'data'))
  if (!(await canWriteTo(account, clusterDir)))
    throw new Error(`The owner of the database in ${clusterDir} cannot write to that directory.`)
  const binaries = await findUsableBinaries(native, account, directories.systemDirs)
  await requireVersion(clusterDir, binaries.major)
  await removeTemporaryDirs(directories, clusterDir)
  return { clusterDir, account, binaries, password, logFile: join(dataDir, 'postgres.log') }
}

/** A copied database: `data` has its files, and `password` the one that it accepts. */
export type CopiedDatabase = { directory: string; password: string }

/** True if the data directory has a database, or a link to one that is gone. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  return exists(join(dataDir, 'postgres'))
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/**
 * Puts a copy in the place of the database, which must be stopped, and moves that to `aside`. The copy is complete before
 * anything is moved, and has the mark of a restore. `requireStopped` throws if the database was started meanwhile.
 */
export async function replaceCluster(
  directories: Directories,
  { directory, password }: CopiedDatabase,
  { aside, requireStopped }: { aside: string; requireStopped: () => Promise<void> },
): Promise<void> {
  const { dataDir } = directories
  await requireWritable(dataDir)
  const native = directories.nativeDir ?? (await findPackagedBinaries())
  const account = await findAccountForNewDatabase()
  const binaries = await findUsableBinaries(native, account, directories.systemDirs)
  await requireVersion(directory, binaries.major)
  const temporary = await createTemporaryDir({ ...directories, account })
  await markDirectory(temporary.clusterDir)
  await copyBackup(join(directory, 'data'), join(temporary.clusterDir, 'data'), account)
  await requireStopped()
  await removeTemporaryDir(join(dataDir, WHOLE_COPY), directories, undefined)
  await writeFile(join(dataDir, WHOLE_COPY_PASSWORD), `${password}\n`, { mode: 0o600 })
  await rename(temporary.path, join(dataDir, WHOLE_COPY))
  await syncDirectory(dataDir)
  if (await hasDatabase(dataDir)) await rename(join(dataDir, 'postgres'), aside)
  await finishReplacement(dataDir)
}

/**
 * Moves a whole copy to the empty place of the database. A restore may have been killed after it had moved the old database
 * away: without this, a start would create an empty one.
 */
export async function finishReplacement(dataDir: string): Promise<void> {
  if ((await hasDatabase(dataDir)) || !(await exists(join(dataDir, WHOLE_COPY)))) return
  const password = join(dataDir, WHOLE_COPY_PASSWORD)
  if (await exists(password)) await rename(password, join(dataDir, 'postgres.password'))
  await rename(join(dataDir, WHOLE_COPY), join(dataDir, 'postgres'))
  await syncDirectory(dataDir)
}

async function requireWritable(dataDir: string): Promise<void> {
  try {
    createDirectory(dataDir)
    // File modes alone do not decide: root may write to /proc by its mode.
    const probe = await mkdtemp(join(dataDir, TEMPORARY_PREFIX))
    await rm(probe, { recursive: true, force: true })
  } catch (cause) {
    throw new Error(`The data directory ${dataDir} cannot be created or written (${toErrorCode(cause)}).`, { cause })
  }
}

/** A hard link makes the file appear complete, and for only one of several processes. */
async function ensurePassword(path: string): Promise<string> {
  const stored = await readPassword(path)
  if (stored) return stored

  const temporary = join(dirname(path), `${TEMPORARY_PREFIX}${randomBytes(6).toString('hex')}`)
  await writeFile(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    await link(temporary, path)
  } catch (err) {
    // ENOENT: a faster process finished the database and removed this directory.
    if (!['EEXIST', 'ENOENT'].includes(toErrorCode(err))) throw err
  } finally {
    await rm(temporary, { force: true })
  }
  const password = await readPassword(path)
  if (!password) throw new Error(`The database password in ${path} is missing or empty.`)
  return password
}

export async function readPassword(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (cause) {
    if (toErrorCode(cause) === 'ENOENT') return undefined
    throw new Error(`The database password in ${path} cannot be read (${toErrorCode(cause)}).`, { cause })
  }
}

async function findClusterDir(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, 'postgres')
  try {
    const clusterDir = await realpath(path)
    await access(join(clusterDir, 'data', 'PG_VERSION'))
    return clusterDir
  } catch (cause) {
    const code = toErrorCode(cause)
    if (code !== 'ENOENT') throw new Error(`The database in ${path} cannot be read (${code}).`, { cause })
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink) throw new Error(`${path} points to ${await readlink(path)}, where there is no database.`)
    return undefined
  }
}

async function initializeClusterDir(
  options: Directories & { durable: boolean; account: Account; binaries: Binaries; password: string },
): Promise<string> {
  let temporary: TemporaryDir | undefined
  let failure: unknown
  try {
    temporary = await createTemporaryDir(options)
    await runInitdb(options, temporary.clusterDir)
    await install(temporary, options.dataDir)
  } catch (err) {
    failure = err
  }

  // A failure does not matter when another process won: it may have removed this directory.
  const clusterDir = await findClusterDir(options.dataDir)
  if (temporary) await removeTemporaryDir(temporary.path, options, clusterDir)
  if (clusterDir) return clusterDir
  const reason = failure instanceof Error ? failure.message.trim() : String(failure)
  throw new Error(`The database in ${join(options.dataDir, 'postgres')} cannot be initialized: ${reason}`, {
    cause: failure,
  })
}

/** Creates a directory that the account can write to: in the data directory, or else in a system directory with a link to it. */
async function createTemporaryDir({
  dataDir,
  systemDirs,
  account,
}: Directories & { account: Account }): Promise<TemporaryDir> {
  const name = randomBytes(8).toString('hex')
  const path = join(dataDir, `${TEMPORARY_PREFIX}${name}`)
  if (await createClusterDir(path, account)) return { path, clusterDir: path }

  await rm(path, { recursive: true, force: true })
  // Only the first system directory: the others may be emptied at a reboot.
  const databases = join(systemDirs[0] ?? '', 'databases')
  const clusterDir = join(databases, name)
  try {
    await claimSystemDir(dirname(databases))
    await claimSystemDir(databases)
    // The link comes first, so that the directory of a killed process can be found and removed.
    await symlink(clusterDir, path)
    if (await createClusterDir(clusterDir, account)) return { path, clusterDir }
  } catch (cause) {
    throw new Error(`PostgreSQL's account cannot write to ${dataDir}, and ${databases} cannot be created.`, { cause })
  }
  await removeTemporaryDir(path, { systemDirs }, undefined)
  throw new Error(`PostgreSQL's account (uid ${account?.uid}) can write neither to ${dataDir} nor to ${databases}.`)
}

async function createClusterDir(clusterDir: string, account: Account): Promise<boolean> {
  await mkdir(clusterDir, { mode: 0o700 })
  if (!account) return true
  try {
    await chown(clusterDir, account.uid, account.gid)
  } catch {
    // Some mounts do not let even root change the owner.
    return false
  }
  return canWriteTo(account, clusterDir)
}

async function runInitdb(
  options: { account: Account; binaries: Binaries; password: string; durable: boolean },
  clusterDir: string,
): Promise<void> {
  const passwordFile = join(clusterDir, 'password')
  await writeFile(passwordFile, options.password, { mode: 0o600, flag: 'wx' })
  if (options.account) await chown(passwordFile, options.account.uid, options.account.gid)
  await runAs(options.account, join(options.binaries.bin, 'initdb'), [
    `--pgdata=${join(clusterDir, 'data')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // PostgreSQL's builtin C.UTF-8 is the same on every system: an upgrade of the C library cannot reorder an index.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.durable ? [] : ['--no-sync']),
  ])
  await rm(passwordFile)
}

/** Moves the temporary directory into place. Neither `rename` nor `symlink` replaces an existing database. */
async function install(temporary: TemporaryDir, dataDir: string): Promise<void> {
  const path = join(dataDir, 'postgres')
  if (temporary.clusterDir === temporary.path) await rename(temporary.path, path)
  else await symlink(temporary.clusterDir, path)
  await syncDirectory(dataDir)
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  await directory.sync()
  await directory.close()
}

/** Removes all temporary directories: once the database exists, each belongs to a process that was killed or lost the race. */
async function removeTemporaryDirs(directories: Directories, clusterDir: string): Promise<void> {
  for (const name of await readdir(directories.dataDir)) {
    if (name.startsWith(TEMPORARY_PREFIX))
      await removeTemporaryDir(join(directories.dataDir, name), directories, clusterDir)
  }
}

async function removeTemporaryDir(
  path: string,
  options: { systemDirs: string[] },
  clusterDir: string | undefined,
): Promise<void> {
  try {
    const target = await readlink(path).catch(() => undefined)
    const isTemporaryDir =
      target && options.systemDirs.some((systemDir) => dirname(target) === join(systemDir, 'databases'))
    // A process killed between its two links leaves both pointing to the database.
    const isDatabase = clusterDir !== undefined && (await realpath(path).catch(() => undefined)) === clusterDir
    if (isTemporaryDir && !isDatabase) await rm(target, { recursive: true, force: true })
    await rm(path, { recursive: true, force: true })
  } catch {
    // Its process may still be writing. The next start removes what remains.
  }
}

async function requireVersion(clusterDir: string, major: string): Promise<void> {
  const found = (await readFile(join(clusterDir, 'data', 'PG_VERSION'), 'utf8')).trim()
  if (found === major) return
  throw new Error(
    `The database in ${clusterDir} was created by PostgreSQL ${found}, but this hub includes PostgreSQL ${major}: ` +
      'move the data with pg_dump, or choose another DATA_DIR.',
  )
}

function toErrorCode(err: unknown): string {
  return err instanceof Error && 'code' in err ? String(err.code) : String(err)
}

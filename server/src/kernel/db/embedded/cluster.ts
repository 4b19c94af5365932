import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chown,
  link,
  lstat,
  mkdir,
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
import { type Account, canWriteTo, findAccountForNewDatabase, findDatabaseOwner, runAs } from './account.ts'
import { type Binaries, claimSystemDir, findPackagedBinaries, findUsableBinaries } from './binaries.ts'

export const SUPERUSER = 'hubline'

const DRAFT_PREFIX = 'postgres.new-'

/**
 * A database and what is needed to run it. The data directory contains
 * `postgres` (the home: the socket and, in `data`, PostgreSQL's files; owned by
 * the account, possibly a symbolic link), `postgres.password` and
 * `postgres.log` (both owned by the hub).
 */
export type Cluster = { home: string; account: Account; binaries: Binaries; password: string; logFile: string }

export type Directories = { dataDir: string; nativeDir?: string | undefined; systemDirs: string[] }

type Draft = { path: string; home: string }

/**
 * Finds the database of a data directory, or creates it. No lock is needed: a
 * process creates a draft under a random name and moves it into place in one
 * step. Of several processes the first wins, and the others use its database.
 * Drafts of killed processes are removed.
 */
export async function prepareCluster(directories: Directories & { durable: boolean }): Promise<Cluster> {
  const { dataDir } = directories
  await requireWritable(dataDir)
  const password = await ensurePassword(join(dataDir, 'postgres.password'))
  const native = directories.nativeDir ?? (await findPackagedBinaries())

  let home = await findHome(dataDir)
  if (!home) {
    const account = await findAccountForNewDatabase()
    const binaries = await findUsableBinaries(native, account, directories.systemDirs)
    home = await initializeHome({ ...directories, account, binaries, password })
  }

  const account = await findDatabaseOwner(join(home, 'data'))
  if (!(await canWriteTo(account, home)))
    throw new Error(`The owner of the database in ${home} cannot write to that directory.`)
  const binaries = await findUsableBinaries(native, account, directories.systemDirs)
  await requireVersion(home, binaries.major)
  await sweepDrafts(directories, home)
  return { home, account, binaries, password, logFile: join(dataDir, 'postgres.log') }
}

async function requireWritable(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`The data directory ${dataDir} cannot be created or written (${toErrorCode(cause)}).`, { cause })
  }
}

/** A hard link makes the file appear complete, and for only one of several processes. */
async function ensurePassword(path: string): Promise<string> {
  const kept = await readPassword(path)
  if (kept) return kept

  const draft = join(dirname(path), `${DRAFT_PREFIX}${randomBytes(6).toString('hex')}`)
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
  } catch (err) {
    // ENOENT: a faster process finished the database and removed this draft.
    if (!['EEXIST', 'ENOENT'].includes(toErrorCode(err))) throw err
  } finally {
    await rm(draft, { force: true })
  }
  const password = await readPassword(path)
  if (!password) throw new Error(`The database password in ${path} is missing or empty.`)
  return password
}

async function readPassword(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (cause) {
    if (toErrorCode(cause) === 'ENOENT') return undefined
    throw new Error(`The database password in ${path} cannot be read (${toErrorCode(cause)}).`, { cause })
  }
}

async function findHome(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, 'postgres')
  try {
    const home = await realpath(path)
    await access(join(home, 'data', 'PG_VERSION'))
    return home
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

async function initializeHome(
  o: Directories & { durable: boolean; account: Account; binaries: Binaries; password: string },
): Promise<string> {
  let draft: Draft | undefined
  let failure: unknown
  try {
    draft = await draftHome(o)
    await runInitdb(o, draft.home)
    await install(draft, o.dataDir)
  } catch (err) {
    failure = err
  }

  // A failure does not matter when another process won: it may have removed this draft.
  const home = await findHome(o.dataDir)
  if (draft) await removeDraft(draft.path, o, home)
  if (home) return home
  const reason = failure instanceof Error ? failure.message.trim() : String(failure)
  throw new Error(`The database in ${join(o.dataDir, 'postgres')} cannot be initialized: ${reason}`, { cause: failure })
}

/** Creates a directory that the account can write to: in the data directory, or else in a system directory with a link to it. */
async function draftHome({ dataDir, systemDirs, account }: Directories & { account: Account }): Promise<Draft> {
  const name = randomBytes(8).toString('hex')
  const path = join(dataDir, `${DRAFT_PREFIX}${name}`)
  if (await makeHome(path, account)) return { path, home: path }

  await rm(path, { recursive: true, force: true })
  // Only the first system directory: the others may be emptied at a reboot.
  const databases = join(systemDirs[0] ?? '', 'databases')
  const home = join(databases, name)
  try {
    await claimSystemDir(dirname(databases))
    await claimSystemDir(databases)
    // The link comes first, so that a draft of a killed process can be found and removed.
    await symlink(home, path)
    if (await makeHome(home, account)) return { path, home }
  } catch (cause) {
    throw new Error(`PostgreSQL's account cannot write to ${dataDir}, and ${databases} cannot be created.`, { cause })
  }
  await removeDraft(path, { systemDirs }, undefined)
  throw new Error(`PostgreSQL's account (uid ${account?.uid}) can write neither to ${dataDir} nor to ${databases}.`)
}

async function makeHome(home: string, account: Account): Promise<boolean> {
  await mkdir(home, { mode: 0o700 })
  if (!account) return true
  try {
    await chown(home, account.uid, account.gid)
  } catch {
    // Some mounts do not let even root change the owner.
    return false
  }
  return canWriteTo(account, home)
}

async function runInitdb(
  o: { account: Account; binaries: Binaries; password: string; durable: boolean },
  home: string,
): Promise<void> {
  const passwordFile = join(home, 'password')
  await writeFile(passwordFile, o.password, { mode: 0o600, flag: 'wx' })
  if (o.account) await chown(passwordFile, o.account.uid, o.account.gid)
  await runAs(o.account, join(o.binaries.bin, 'initdb'), [
    `--pgdata=${join(home, 'data')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // PostgreSQL's builtin C.UTF-8 is the same on every system: an upgrade of the C library cannot reorder an index.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(o.durable ? [] : ['--no-sync']),
  ])
  await rm(passwordFile)
}

/** Moves the draft into place. Neither `rename` nor `symlink` replaces an existing database. */
async function install(draft: Draft, dataDir: string): Promise<void> {
  const path = join(dataDir, 'postgres')
  if (draft.home === draft.path) await rename(draft.path, path)
  else await symlink(draft.home, path)

  const directory = await open(dataDir)
  await directory.sync()
  await directory.close()
}

/** Removes all drafts: once the database exists, each belongs to a process that was killed or lost the race. */
async function sweepDrafts(directories: Directories, home: string): Promise<void> {
  for (const name of await readdir(directories.dataDir)) {
    if (name.startsWith(DRAFT_PREFIX)) await removeDraft(join(directories.dataDir, name), directories, home)
  }
}

async function removeDraft(path: string, o: { systemDirs: string[] }, home: string | undefined): Promise<void> {
  try {
    const target = await readlink(path).catch(() => undefined)
    const isDraftHome = target && o.systemDirs.some((systemDir) => dirname(target) === join(systemDir, 'databases'))
    // A process killed between its two links leaves both pointing to the database.
    const isDatabase = home !== undefined && (await realpath(path).catch(() => undefined)) === home
    if (isDraftHome && !isDatabase) await rm(target, { recursive: true, force: true })
    await rm(path, { recursive: true, force: true })
  } catch {
    // Its process may still be writing. The next start removes what remains.
  }
}

async function requireVersion(home: string, major: string): Promise<void> {
  const found = (await readFile(join(home, 'data', 'PG_VERSION'), 'utf8')).trim()
  if (found === major) return
  throw new Error(
    `The database in ${home} was created by PostgreSQL ${found}, but this hub includes PostgreSQL ${major}: ` +
      'move the data with pg_dump, or choose another DATA_DIR.',
  )
}

function toErrorCode(err: unknown): string {
  return err instanceof Error && 'code' in err ? String(err.code) : String(err)
}

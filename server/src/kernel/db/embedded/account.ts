import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Whom PostgreSQL runs as; undefined stands for ourselves. */
export type Account = { uid: number; gid: number } | undefined

// macOS names its account `_postgres`.
const ACCOUNT_NAMES = ['postgres', '_postgres', 'nobody']

const execute = promisify(execFile)

/** Whom a new database belongs to. PostgreSQL refuses root, so root lends it an account that exists anyway. */
export async function accountForNewDatabase(): Promise<Account> {
  if (!isRoot()) return undefined

  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ACCOUNT_NAMES) {
    const [, , uid, gid] = lines.find(([candidate]) => candidate === name) ?? []
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and neither the account postgres nor nobody exists: start as another user.',
  )
}

/** A database that exists decides for itself: root runs it as its owner, everyone else must be that owner. */
export async function accountOfDatabase(directory: string): Promise<Account> {
  const { uid, gid } = await stat(directory)
  if (!isRoot()) {
    if (uid === process.geteuid?.()) return undefined
    throw new Error(`The database in ${directory} belongs to another user (uid ${uid}): start as that user.`)
  }
  if (uid === 0) throw new Error(`The database in ${directory} belongs to root, as whom PostgreSQL refuses to run.`)
  return { uid, gid }
}

/** Runs a program to its end with nothing of our environment, since PGDATA, PGPORT and their kin would change its course. */
export async function runAs(account: Account, program: string, args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, spawnOptions(account))
  return stdout
}

/** Our working directory may be closed to the account, hence the root directory. */
export function spawnOptions(account: Account) {
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
  // A signed number, because spawn refuses the 4294967294 that macOS gives to nobody.
  return account ? { ...options, uid: account.uid | 0, gid: account.gid | 0 } : options
}

/** Asks the kernel in the account's own name: modes alone do not tell (ACLs, mounts, capabilities). */
export async function canWork(account: Account, directory: string): Promise<boolean> {
  try {
    await runAs(account, '/bin/sh', ['-c', 'cd -- "$1" && test -w .', 'sh', directory])
    return true
  } catch {
    // Any failure means that it cannot.
    return false
  }
}

function isRoot(): boolean {
  return process.geteuid?.() === 0
}

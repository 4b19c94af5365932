import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/** The system account that PostgreSQL runs as; undefined is the account of this process. */
export type Account = { uid: number; gid: number } | undefined

// macOS names its account `_postgres`.
const ACCOUNT_NAMES = ['postgres', '_postgres', 'nobody']

const execute = promisify(execFile)

/** The account for a new database. PostgreSQL refuses to run as root, so root uses an account that every system has. */
export async function findAccountForNewDatabase(): Promise<Account> {
  if (!isRoot()) return undefined

  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ACCOUNT_NAMES) {
    const [, , uid, gid] = lines.find(([candidate]) => candidate === name) ?? []
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new Error(
    `PostgreSQL cannot run as root, and no account ${ACCOUNT_NAMES.join(' or ')} exists: start as another user.`,
  )
}

/** The account for an existing database: root runs it as its owner, and any other user must be its owner. */
export async function findDatabaseOwner(directory: string): Promise<Account> {
  const { uid, gid } = await stat(directory)
  if (!isRoot()) {
    if (uid === process.geteuid?.()) return undefined
    throw new Error(`The database in ${directory} belongs to another user (uid ${uid}): start as that user.`)
  }
  if (uid === 0) throw new Error(`The database in ${directory} belongs to root, and PostgreSQL refuses to run as root.`)
  return { uid, gid }
}

/** Runs a program with a clean environment: PGDATA, PGPORT and similar variables would change what it does. */
export async function runAs(account: Account, program: string, args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, buildSpawnOptions(account))
  return stdout
}

/** The working directory is `/`, because the account may have no access to that of this process. */
export function buildSpawnOptions(account: Account) {
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
  // A signed number, because spawn refuses the uid 4294967294 that macOS gives to `nobody`.
  return account ? { ...options, uid: account.uid | 0, gid: account.gid | 0 } : options
}

/** Tries it as the account: file modes alone do not decide (ACLs, mounts, capabilities). */
export async function canWriteTo(account: Account, directory: string): Promise<boolean> {
  try {
    await runAs(account, '/bin/sh', ['-c', 'cd -- "$1" && test -w .', 'sh', directory])
    return true
  } catch {
    // Any failure means no access.
    return false
  }
}

function isRoot(): boolean {
  return process.geteuid?.() === 0
}

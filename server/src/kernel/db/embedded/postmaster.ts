import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chown, lstat, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, buildSpawnOptions, runAs } from './account.ts'
import type { Cluster } from './cluster.ts'

export const PORT = 5432

// The limit of the system is 104 bytes on macOS and 108 on Linux, with the terminating zero.
const SOCKET_PATH_BYTES_MAX = 100

const STOP_LIMIT_MS = 60_000
const LOG_BYTES_MAX = 1024 * 1024
const TAIL_LINES = 8

// Above every real process id, so that no process ever has it.
const DEAD_PID = 2 ** 31 - 1

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_connections: '100',
  // A statement over a partitioned table locks each partition and each of its indexes.
  max_locks_per_transaction: '256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  password_encryption: 'scram-sha-256',
  // The hub gets errors from the driver. The log must contain server events only, and no statements with values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** A throw-away server is for tests, many hubs of which use it at once. */
const SETTINGS_NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

type Place = Pick<Cluster, 'clusterDir'>

/** One attempt to start the server; `ended` resolves with how it ended. */
export type Launch = { ended?: string; tail: () => Promise<string> }

/**
 * Starts the server in a session of its own. So a Ctrl-C in the terminal reaches
 * only the hub, which needs the database while it drains, and the server survives
 * a hub that dies.
 */
export async function launchServer(cluster: Cluster, durable: boolean): Promise<Launch> {
  const socketDir = await claimSocketDir(cluster)
  await clearStalePid(cluster, buildPidPath(cluster))
  await clearStalePid(cluster, join(socketDir, `.s.PGSQL.${PORT}.lock`))

  await rotate(cluster.logFile)
  const log = await open(cluster.logFile, 'a', 0o600)
  const start = (await log.stat()).size
  const settings = {
    ...SETTINGS,
    ...(durable ? {} : SETTINGS_NOT_DURABLE),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  }
  const args = ['-D', join(cluster.clusterDir, 'data'), '-p', String(PORT)]
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)

  const result: Launch = { tail: () => tail(cluster.logFile, start) }
  const child = spawn(join(cluster.binaries.bin, 'postgres'), args, {
    ...buildSpawnOptions(cluster.account),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.once('error', (err) => Object.assign(result, { ended: err.message }))
  child.once('exit', (code, signal) => Object.assign(result, { ended: signal ?? `exit code ${code}` }))
  child.unref()
  await log.close()
  return result
}

/**
 * Ends every session and waits until the server is gone. The signal comes from the
 * account and not from root, because the account wrote the pid file. Waits for that
 * one process, because another process may start the next server at once.
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = await readRecordedPid(cluster)
  if (!(await isServer(cluster, pid))) return
  await runAs(cluster.account, join(cluster.binaries.bin, 'pg_ctl'), ['kill', 'INT', String(pid)])

  const deadline = Date.now() + STOP_LIMIT_MS
  while (await isServer(cluster, pid)) {
    if (Date.now() > deadline) throw new Error(`The server did not stop within ${STOP_LIMIT_MS / 1000} s.`)
    await sleep(20)
  }
}

/** The socket in the server's pid file; undefined while the server is absent or not listening yet. */
export async function findSocket(cluster: Cluster): Promise<{ host: string; port: number } | undefined> {
  const [, , , port, host] = (await readIfAny(buildPidPath(cluster))).split('\n')
  return host && port ? { host, port: Number(port) } : undefined
}

/** Returns true if the recorded process lives and is this server. After a crash of the machine its id may belong to another program. */
export async function isServerRunning(cluster: Place): Promise<boolean> {
  return isServer(cluster, await readRecordedPid(cluster))
}

async function readRecordedPid(cluster: Place): Promise<number> {
  return Number.parseInt(await readIfAny(buildPidPath(cluster)), 10)
}

async function isServer(cluster: Place, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command =
    process.platform === 'linux'
      ? (await readIfAny(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ')
      : await runAs(undefined, '/bin/ps', ['-p', String(pid), '-o', 'command=']).catch(() => '')
  return command.includes(`-D ${join(cluster.clusterDir, 'data')} `)
}

/** The cluster directory, or a temporary directory if its path is too long or has a comma, at which clients split lists of hosts. */
async function claimSocketDir({ clusterDir, account }: Cluster): Promise<string> {
  if (fits(clusterDir) && !clusterDir.includes(',')) return clusterDir

  const name = `hubline-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)}`
  const directory = fits(join(tmpdir(), name)) ? join(tmpdir(), name) : join('/tmp', name)
  try {
    await mkdir(directory, { mode: 0o700 })
    if (account) await chown(directory, account.uid, account.gid)
  } catch (err) {
    if (!(await isPrivateTo(account, directory))) {
      throw new Error(`The socket directory ${directory} cannot be created or belongs to another user.`, {
        cause: err,
      })
    }
  }
  return directory
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES_MAX
}

async function isPrivateTo(account: Account, directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined)
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  // One of root's was just created by another hub process, which is about to change the owner.
  if (account && found.uid === 0) await chown(directory, account.uid, account.gid)
  return !account || found.uid === 0 || found.uid === account.uid
}

/**
 * PostgreSQL does not start while any process has the pid of the lock file. This
 * replaces the pid of another program by one that no process has. The file stays,
 * because PostgreSQL finds in it the shared memory that orphans of a killed server
 * may still use. PostgreSQL replaces a stale lock file by a new one, so a write
 * through the handle that was read cannot change the file of a newer server.
 */
async function clearStalePid(cluster: Cluster, path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined)
  if (!file) return
  try {
    const [pid = '', ...rest] = (await file.readFile('utf8')).split('\n')
    if (!isAlive(Number(pid)) || (await isServer(cluster, Number(pid)))) return
    await file.write([DEAD_PID, ...rest].join('\n'), 0)
  } finally {
    await file.close()
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM'
  }
}

async function rotate(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LOG_BYTES_MAX) await rename(logFile, `${logFile}.1`)
}

async function tail(logFile: string, start: number): Promise<string> {
  const written = (await readFile(logFile)).subarray(start).toString()
  return written.trim().split('\n').slice(-TAIL_LINES).join('\n')
}

function buildPidPath({ clusterDir }: Place): string {
  return join(clusterDir, 'data', 'postmaster.pid')
}

async function readIfAny(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chown, lstat, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, runAs, spawnOptions } from './account.ts'
import type { Cluster } from './cluster.ts'

export const PORT = 5432

// The system's limit is 104 bytes on macOS and 108 on Linux, for the path and its end mark.
const SOCKET_PATH_BYTES_MAX = 100

const STOP_LIMIT_MS = 60_000
const LOG_BYTES_MAX = 1024 * 1024
const TAIL_LINES = 8

// Above every real process id, so that nothing ever runs under it.
const DEAD_PID = 2 ** 31 - 1

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  password_encryption: 'scram-sha-256',
  // The hub gets its own errors from the driver; the log holds server events only, and no statements with values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

const SETTINGS_NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** One attempt to start the server; `ended` resolves with how it ended. */
export type Launch = { ended?: string; tail: () => Promise<string> }

/**
 * Starts the server in a session of its own: a Ctrl-C in the terminal reaches
 * the hub only, which still needs the database to drain, and a hub that dies
 * leaves it to the next one.
 */
export async function launch(cluster: Cluster, durable: boolean): Promise<Launch> {
  const socketDir = await claimSocketDir(cluster)
  await disownForeignPid(cluster, pidFile(cluster))
  await disownForeignPid(cluster, join(socketDir, `.s.PGSQL.${PORT}.lock`))

  await rotate(cluster.logFile)
  const log = await open(cluster.logFile, 'a', 0o600)
  const start = (await log.stat()).size
  const settings = {
    ...SETTINGS,
    ...(durable ? {} : SETTINGS_NOT_DURABLE),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  }
  const args = ['-D', join(cluster.home, 'data'), '-p', String(PORT)]
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)

  const result: Launch = { tail: () => tail(cluster.logFile, start) }
  const child = spawn(join(cluster.binaries.bin, 'postgres'), args, {
    ...spawnOptions(cluster.account),
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
 * Ends every session and waits for the server to be gone. The account signals,
 * not root, since it wrote the pid; and only that process is waited for, since
 * whoever wants a server may start the next one at once.
 */
export async function stop(cluster: Cluster): Promise<void> {
  const pid = await recordedPid(cluster)
  if (!(await isServer(cluster, pid))) return
  await runAs(cluster.account, join(cluster.binaries.bin, 'pg_ctl'), ['kill', 'INT', String(pid)])

  const deadline = Date.now() + STOP_LIMIT_MS
  while (await isServer(cluster, pid)) {
    if (Date.now() > deadline) throw new Error(`it did not stop within ${STOP_LIMIT_MS / 1000} s.`)
    await sleep(20)
  }
}

/** Where the server listens, by its own record; undefined while there is none or it is not listening yet. */
export async function findSocket(cluster: Cluster): Promise<{ host: string; port: number } | undefined> {
  const [, , , port, host] = (await readIfAny(pidFile(cluster))).split('\n')
  return host && port ? { host, port: Number(port) } : undefined
}

/** Whether the recorded process lives and is this server. After a crash of the machine its number may be another's. */
export async function isRunning(cluster: Cluster): Promise<boolean> {
  return isServer(cluster, await recordedPid(cluster))
}

async function recordedPid(cluster: Cluster): Promise<number> {
  return Number.parseInt(await readIfAny(pidFile(cluster)), 10)
}

async function isServer(cluster: Cluster, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command =
    process.platform === 'linux'
      ? (await readIfAny(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ')
      : await runAs(undefined, '/bin/ps', ['-p', String(pid), '-o', 'command=']).catch(() => '')
  return command.includes(`-D ${join(cluster.home, 'data')} `)
}

/** Beside the data when the path is short enough, and free of the comma at which clients split lists of hosts. */
async function claimSocketDir({ home, account }: Cluster): Promise<string> {
  if (fits(home) && !home.includes(',')) return home

  const name = `hubline-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
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
  // Root's own is one that another of us has just made and is about to hand over.
  if (account && found.uid === 0) await chown(directory, account.uid, account.gid)
  return !account || found.uid === 0 || found.uid === account.uid
}

/**
 * PostgreSQL believes a lock file whose process lives, whoever that is, and
 * would never start again. The file stays, with a number nobody has, since the
 * rest of it leads PostgreSQL to the shared memory that orphans of a killed
 * server may still use. PostgreSQL replaces a stale lock file by a new one, so
 * that a write through the handle that was read cannot hit the file of a server
 * started in between.
 */
async function disownForeignPid(cluster: Cluster, path: string): Promise<void> {
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

function pidFile({ home }: Cluster): string {
  return join(home, 'data', 'postmaster.pid')
}

async function readIfAny(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

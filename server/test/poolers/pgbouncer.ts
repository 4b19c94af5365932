import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { parseDatabaseUrl } from '../../src/kernel/db/connection-url.ts'
import { testDatabase } from '../database.ts'
import { freePort, newDirectory } from '../journeys/processes.ts'
import { findProgram, isListening } from './programs.ts'

export type PoolMode = 'session' | 'transaction' | 'statement'

export type Settings = Record<string, string | number>

/** Starts a PgBouncer in front of a database, by default that of the test, and returns the URL that leads through it. */
export async function startPgbouncer(
  t: TestContext,
  pool_mode: PoolMode,
  settings: Settings = {},
  database?: string,
): Promise<string> {
  const target = database ?? (await testDatabase()).target
  const directory = await newDirectory(t, 'hubline-pgbouncer-')
  const file = join(directory, 'pgbouncer.ini')
  const port = await freePort()
  await writeFile(file, writeConfiguration(target, { pool_mode, listen_port: port, ...settings }))
  await chmod(file, 0o644)
  const { host } = findServer(target)
  // It refuses to run as root, and only the account of the database may enter the directory of its socket.
  const account = process.getuid?.() === 0 && host.startsWith('/') ? { uid: (await stat(host)).uid } : {}
  const child = spawn(await findPgbouncer(), [file], { stdio: ['ignore', 'ignore', 'pipe'], ...account })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`)
  }
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  return url.href
}

/** With `auth_type = any` clients need no password, and are all of the account in the URL. */
function writeConfiguration(target: string, settings: Settings): string {
  const { user, password } = parseDatabaseUrl(target)
  const { host, port } = findServer(target)
  const all = {
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'any',
    default_pool_size: 30,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  return `[databases]\n* = host=${host} port=${port} user=${user} password=${password}\n\n[pgbouncer]\n${lines.join('\n')}\n`
}

function findServer(target: string): { host: string; port: number } {
  const [server] = parseDatabaseUrl(target).servers
  if (!server) throw new Error('The database has no server')
  return server
}

/** Returns true if prepared statements work in transaction mode: from version 1.21 on. */
export async function hasPreparedStatements(): Promise<boolean> {
  const child = spawn(await findPgbouncer(), ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output] = await once(child.stdout.setEncoding('utf8'), 'data')
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(output) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

function findPgbouncer(): Promise<string> {
  return findProgram('pgbouncer', process.env.PGBOUNCER_PATH)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, toSocketUrl } from '../../connection-url.ts'
import { openPool } from '../../pool.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, openEmbeddedPostgres } from '../embedded-postgres.ts'

export const isRoot = process.getuid?.() === 0

/** Initialized by the first test of the process that opens it: an initialization takes longer than most tests. */
let initialized: Promise<string> | undefined
after(async () => {
  if (initialized) await rm(await initialized, { recursive: true, force: true })
})

/** Directories and processes of one test, removed at its end. */
export function createFixture(t: TestContext) {
  const opened: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  const directories: string[] = []

  t.after(async () => {
    for (const embedded of opened) await embedded[Symbol.asyncDispose]()
    for (const child of children) await killGroup(child)
    for (const path of directories) await killServers(path)
    if (initialized) await killServers(await initialized)
    for (const path of directories) await rm(path, { recursive: true, force: true })
  })

  /** For tests that need a database, but not a new one. It has what the tests before have created in it. */
  function initializedDirectory(): Promise<string> {
    initialized ??= createDirectory('open')
    return initialized
  }

  /** PostgreSQL's account can enter an `open` directory, and only the user of the test a `closed` one. */
  async function directory(access: 'open' | 'closed' = 'open'): Promise<string> {
    const path = await createDirectory(access)
    directories.push(path)
    return path
  }

  const defaults = async () => ({ durable: false, systemDirs: [join(await directory(), 'system')] })

  /** Starts another process in a process group of its own, as a terminal does. */
  async function forkProcess(options: EmbeddedPostgresOptions & { hub?: boolean }): Promise<ChildProcess> {
    const child = spawnOpeningProcess({ ...(await defaults()), ...options })
    children.push(child)
    return child
  }

  return {
    directory,
    initializedDirectory,
    forkProcess,
    fork: async (options: EmbeddedPostgresOptions & { hub?: boolean }) => readReport(await forkProcess(options)),
    async open(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
      const embedded = await openEmbeddedPostgres({ ...(await defaults()), ...options })
      opened.push(embedded)
      return embedded
    },
    /** For directories that the code under test creates elsewhere. */
    removeAtEnd: (path: string) => directories.push(path),
    killAtEnd: (child: ChildProcess) => children.push(child),
  }
}

async function createDirectory(access: 'open' | 'closed'): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'hubline-test-'))
  await chmod(path, access === 'open' ? 0o755 : 0o700)
  return path
}

export async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, 'SIGKILL')
  await once(child, 'exit')
}

export async function query(options: ConnectionOptions, statement: string): Promise<string> {
  const sql = openPool(toSocketUrl(options), { max: 1, name: 'a test' })
  try {
    const [row] = await sql.unsafe(statement)
    return row ? String(Object.values(row)[0]) : ''
  } finally {
    await sql.end({ timeout: 0 })
  }
}

export async function readServerPid(directory: string): Promise<number | undefined> {
  const text = await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || undefined
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Repeats the attempt until it returns something truthy, for at most 30 seconds. */
export async function waitUntil<T>(what: string, attempt: () => Promise<T> | T): Promise<NonNullable<T>> {
  const deadline = Date.now() + 30_000
  let last: unknown
  while (Date.now() < deadline) {
    try {
      const result = await attempt()
      if (result) return result
    } catch (err) {
      last = err
    }
    await sleep(20)
  }
  throw new Error(`Waited 30 seconds until ${what}`, { cause: last })
}

function spawnOpeningProcess(options: EmbeddedPostgresOptions): ChildProcess {
  const script = join(import.meta.dirname, 'opening-process.ts')
  return spawn(process.execPath, [script, JSON.stringify(options)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function readReport(child: ChildProcess) {
  const [line] = await once(createInterface({ input: child.stdout! }), 'line')
  const { options, directory, error }: { options: ConnectionOptions; directory: string; error?: string } =
    JSON.parse(line)
  return {
    child,
    options,
    directory,
    error,
    async close(): Promise<void> {
      const exit = once(child, 'exit')
      child.stdin!.end()
      await exit
    },
  }
}

async function killServers(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const { name, parentPath } of entries) {
    if (name !== 'postmaster.pid') continue
    const pid = await readServerPid(join(parentPath, '..'))
    if (!pid || !isAlive(pid)) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!command.includes(parentPath)) continue
    process.kill(pid, 'SIGQUIT')
    await waitUntil('a leftover server is gone', () => !isAlive(pid))
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { ConnectionOptions } from '../../connection-url.ts'
import { type EmbeddedPostgres, type Opening, openEmbeddedPostgres } from '../embedded-postgres.ts'

export const isRoot = process.getuid?.() === 0

/** Directories and processes of one test, all gone at its end. */
export function setScene(t: TestContext) {
  const opened: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  const directories: string[] = []

  t.after(async () => {
    for (const embedded of opened) await embedded[Symbol.asyncDispose]()
    for (const child of children) await killGroup(child)
    for (const path of directories) await killServersBelow(path)
    for (const path of directories) await rm(path, { recursive: true, force: true })
  })

  /** `open` lets PostgreSQL's account in, `closed` only the user of the test. */
  async function directory(access: 'open' | 'closed' = 'open'): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'hubline-test-'))
    directories.push(path)
    await chmod(path, access === 'open' ? 0o755 : 0o700)
    return path
  }

  const defaults = async () => ({ durable: false, systemDirs: [join(await directory(), 'system')] })

  /** Another process, in a process group of its own, as a terminal gives it. */
  async function forkWithoutWaiting(opening: Opening & { hub?: boolean }): Promise<ChildProcess> {
    const child = launchOpener({ ...(await defaults()), ...opening })
    children.push(child)
    return child
  }

  return {
    directory,
    forkWithoutWaiting,
    fork: async (opening: Opening & { hub?: boolean }) => report(await forkWithoutWaiting(opening)),
    async open(opening: Opening): Promise<EmbeddedPostgres> {
      const embedded = await openEmbeddedPostgres({ ...(await defaults()), ...opening })
      opened.push(embedded)
      return embedded
    },
    /** For directories that the code under test makes elsewhere. */
    removeAtEnd: (path: string) => directories.push(path),
    killAtEnd: (child: ChildProcess) => children.push(child),
  }
}

export async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, 'SIGKILL')
  await once(child, 'exit')
}

export async function query(options: ConnectionOptions, statement: string): Promise<string> {
  const sql = postgres({ ...options, max: 1, onnotice: () => {} })
  try {
    const [row] = await sql.unsafe(statement)
    return row ? String(Object.values(row)[0]) : ''
  } finally {
    await sql.end({ timeout: 0 })
  }
}

export async function serverPid(directory: string): Promise<number | undefined> {
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

/** Repeats until the attempt gives something truthy; half a minute is far more than anything here takes. */
export async function until<T>(what: string, attempt: () => Promise<T> | T): Promise<NonNullable<T>> {
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
  throw new Error(`Waited in vain until ${what}`, { cause: last })
}

function launchOpener(opening: Opening): ChildProcess {
  const script = join(import.meta.dirname, 'opener.ts')
  return spawn(process.execPath, [script, JSON.stringify(opening)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function report(child: ChildProcess) {
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

async function killServersBelow(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const { name, parentPath } of entries) {
    if (name !== 'postmaster.pid') continue
    const pid = await serverPid(join(parentPath, '..'))
    if (!pid || !isAlive(pid)) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!command.includes(parentPath)) continue
    process.kill(pid, 'SIGQUIT')
    await until('a forgotten server is gone', () => !isAlive(pid))
  }
}

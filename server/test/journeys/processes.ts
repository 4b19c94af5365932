import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { access, chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { findProgram } from '../programs.ts'

const START_LIMIT_MS = 360_000

export type Running = {
  child: ChildProcess
  url: string
  output: () => string
  /** Sends a signal and returns the exit code, or the signal that ended it. */
  end: (signal: NodeJS.Signals) => Promise<number | string>
}

type Env = Record<string, string>

/** A new directory, which is removed at the end of the test. */
export async function newDirectory(t: TestContext, prefix = 'hubline-journey-'): Promise<string> {
  const directory = await createDirectory(prefix)
  cleanUp(t, () => removeDirectory(directory))
  return directory
}

let initialized: Promise<string> | undefined

/** The DATA_DIR of an installation that has no hub running, for tests that need a database, but not a new one. */
export function initializedDataDir(): Promise<string> {
  initialized ??= initializeDataDir()
  return initialized
}

async function initializeDataDir(): Promise<string> {
  const DATA_DIR = await createDirectory('hubline-journey-')
  const { code, stderr } = await runToEnd('admin', ['migrate'], { DATA_DIR })
  if (code !== 0) throw new Error(stderr)
  return DATA_DIR
}

after(async () => {
  if (initialized) await removeDirectory(await initialized)
})

async function createDirectory(prefix: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), prefix))
  // If the tests run as root, the database's account must be able to enter, or the database is created elsewhere.
  await chmod(directory, 0o755)
  return directory
}

function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

const cleanups = new WeakMap<TestContext, (() => unknown)[]>()

/**
 * Runs `step` when the test ends, the last step first: a hub is killed before its directory is removed. `t.after` has the
 * other order, and a step that throws there skips the later ones, such as the end of the hub.
 */
function cleanUp(t: TestContext, step: () => unknown): void {
  const steps = cleanups.get(t) ?? []
  if (steps.length === 0) {
    cleanups.set(t, steps)
    t.after(async () => {
      for (const each of steps.reverse()) await each()
    })
  }
  steps.push(step)
}

/** The system takes the ports of outgoing connections from above: one of those may be taken before its program listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_240, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await new Promise((resolve) => {
    server.once('listening', () => resolve(true))
    server.once('error', () => resolve(false))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the hub as an operator does, and waits until it is ready. Another program may take a free port first: then another is tried. */
export async function startProcess(t: TestContext, env: Env, args: string[] = [], tries = 3): Promise<Running> {
  // The simulator's default is the port after the hub's, which may be taken.
  const ports = env.PORT === undefined ? { PORT: String(await freePort()), SIMULATOR_PORT: '0' } : { PORT: env.PORT }
  const started = launch('main', args, { ...ports, ...env })
  cleanUp(t, () => started.end('SIGKILL'))
  const url = `http://127.0.0.1:${ports.PORT}`
  const deadline = Date.now() + START_LIMIT_MS
  while (!(await isReady(url))) {
    if (started.child.exitCode !== null) {
      const isPortTaken =
        env.PORT === undefined && started.output().includes(`Port ${ports.PORT} on 127.0.0.1 is taken`)
      if (isPortTaken && tries > 1) return startProcess(t, env, args, tries - 1)
      throw new Error(`The hub ended: ${started.output()}`)
    }
    if (Date.now() > deadline) throw new Error(`The hub does not become ready: ${started.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { ...started, url }
}

/** Runs a program that exits by itself. */
export async function runToEnd(program: 'main' | 'admin', args: string[], env: Env, cwd?: string) {
  const started = launch(program, args, env, cwd)
  const code = await started.ended
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}

/** Interrupts a start as soon as it has created a file, and returns how the process ended. */
export async function interruptStart(env: Env, file: string): Promise<number | string> {
  const started = launch('main', [], env)
  const exists = () =>
    access(file).then(
      () => true,
      () => false,
    )
  while (!(await exists()) && started.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10))
  return started.end('SIGINT')
}

// Outside of the checkout, whose .env must not change a test.
function launch(program: 'main' | 'admin', args: string[], env: Env, cwd = tmpdir()) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [findProgram(program), ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk
  })
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  async function end(signal: NodeJS.Signals): Promise<number | string> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  return {
    child,
    ended,
    end,
    output: () => out.stdout + out.stderr,
    stdout: () => out.stdout,
    stderr: () => out.stderr,
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}

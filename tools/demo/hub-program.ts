import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { findFreePorts } from '../ports.ts'
import { DemoError } from './demo-error.ts'
import { waitFor } from './waiting.ts'

const SOURCES = join(import.meta.dirname, '../../server/src/bin')
/** Far more than a hub takes to stop. */
const STOP_MS_MAX = 60_000
const OUTPUT_LENGTH = 4000

type Program = { child: ChildProcess; ended: Promise<number | string>; stdout: () => string; output: () => string }
type Env = Record<string, string>

export type HubProgram = AsyncDisposable & { url: string; simulatorUrl: string; env: Env }

/** Starts the hub with its embedded database and the simulator, as `npm start` does, with its data in `directory`. */
export async function startHubProgram(
  directory: string,
  { allowed, signal, settings = {} }: { allowed: string; signal: AbortSignal; settings?: Env },
): Promise<HubProgram> {
  const [port, simulatorPort] = await findFreePorts(2)
  const env = {
    DATA_DIR: join(directory, 'data'),
    PORT: String(port),
    SIMULATOR_PORT: String(simulatorPort),
    WEBHOOK_ALLOWED_DESTINATIONS: allowed,
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const program = launch('main', [], { cwd: directory, env })
  const url = `http://localhost:${port}`
  try {
    await waitFor('the hub to become ready', signal, async () => {
      if (hasEnded(program)) throw new DemoError(`The hub ended while it started:\n${program.output()}`)
      return (await isReady(url)) || undefined
    })
  } catch (err) {
    await stop(program)
    throw err
  }
  return {
    url,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    env,
    [Symbol.asyncDispose]: () => stop(program),
  }
}

/** Runs a command of `npm run admin`, and returns what it prints. */
export async function runAdmin<T>(args: string[], options: { cwd: string; env: Env }): Promise<T> {
  const program = launch('admin', args, options)
  const code = await program.ended
  if (code !== 0) throw new DemoError(`The command ${args[0]} ended with ${code}:\n${program.output()}`)
  return JSON.parse(program.stdout())
}

/** The variables and the `.env` of the person who runs the demo do not reach the hub: it must not touch another database. */
function launch(name: 'main' | 'admin', args: string[], { cwd, env }: { cwd: string; env: Env }): Program {
  const { PATH = '', TMPDIR, NODE_COMPILE_CACHE, HUB_PROGRAMS } = process.env
  const inherited = {
    PATH,
    ...(TMPDIR && { TMPDIR }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: resolve(NODE_COMPILE_CACHE) }),
  }
  // Tests have compiled the hub, which then starts in half the time.
  const program = HUB_PROGRAMS ? join(HUB_PROGRAMS, `${name}.js`) : join(SOURCES, `${name}.ts`)
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out = { stdout: '', all: '' }
  child.stdout.on('data', (chunk) => {
    out.stdout = `${out.stdout}${chunk}`.slice(-OUTPUT_LENGTH)
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      out.all = `${out.all}${chunk}`.slice(-OUTPUT_LENGTH)
    })
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (err) => resolve(err.message))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  return { child, ended, stdout: () => out.stdout, output: () => out.all.trim() }
}

function hasEnded({ child }: Program): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined
}

/** The hub stops its database before it ends, also if it is still starting. */
async function stop(program: Program): Promise<void> {
  if (hasEnded(program)) return
  program.child.kill('SIGTERM')
  const timer = setTimeout(() => program.child.kill('SIGKILL'), STOP_MS_MAX)
  await program.ended
  clearTimeout(timer)
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status === 200
}

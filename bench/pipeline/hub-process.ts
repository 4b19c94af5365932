import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildSealingEnv } from '../../server/test/admin.ts'
import { APP } from '../app.ts'
import type { BenchmarkSetup } from '../benchmark.ts'
import { readCpuMicros } from '../cpu.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The options of the command of `npm start`. */
const HEAP = '--max-semi-space-size=16'
/** A start takes a second, and a hundred times as long beside other work. */
const START_LIMIT_MS = 180_000

export type HubProcess = AsyncDisposable & {
  url: string
  /** CPU microseconds so far. */
  readCpu: () => Promise<number>
  /** Its proportional share of memory, in MB. */
  readMemory: () => Promise<number>
  /** Ends it as a crash does. */
  kill: () => Promise<void>
}

export type HubOptions = Pick<BenchmarkSetup, 'databaseUrl' | 'keyRing'> & {
  receiverPort: number
  role?: 'all' | 'api' | 'worker'
  /** The mark of a hub that is one of several cells. */
  cell?: string
  /** The address of the simulator, if the hub is to send. */
  upstreamUrl?: string
  /** The repository with the hub's sources. */
  root?: string
}

/** A hub as `npm start` runs it, in a process of its own, on the benchmark's database and without a sandbox. */
export async function startHubProcess(options: HubOptions): Promise<HubProcess> {
  const { root = ROOT, role = 'all', cell } = options
  return startServer((port, url) => ({
    command: join(root, 'node_modules/.bin/node'),
    args: [HEAP, join(root, 'server/src/bin/main.ts')],
    env: { ...buildHubEnv(options), PORT: String(port), ROLE: role, PUBLIC_URL: url, ...(cell && { CELL: cell }) },
    readyPath: '/ready',
  }))
}

type Program = {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  readyPath: string
  /** A program that writes its log to standard error has it discarded too. */
  logsToStderr?: boolean
}

/** Starts a program that serves HTTP on a free port, and waits until it is ready. */
export async function startServer(build: (port: number, url: string) => Program): Promise<HubProcess> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { command, args, env, readyPath, logsToStderr = false } = build(port, url)
  // The log lines are written, as in production, and discarded.
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', logsToStderr ? 'ignore' : 'inherit'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} did not start`)
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    process.off('exit', killAtExit)
  }
  const stop = () => end('SIGTERM')

  const deadline = performance.now() + START_LIMIT_MS
  while (!(await isReady(`${url}${readyPath}`))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error(`${command} did not become ready`)
    }
    await delay(20)
  }
  return {
    url,
    readCpu: () => readCpuMicros(pid),
    readMemory: () => readMemory(pid),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: stop,
  }
}

/** The variables of a hub and of its admin commands. */
export function buildHubEnv({ databaseUrl, keyRing, receiverPort, upstreamUrl, root = ROOT }: HubOptions) {
  return {
    ...process.env,
    ...buildSealingEnv(keyRing()),
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    DATABASE_URL: databaseUrl,
    BILLING: 'off',
    DRAIN_SECONDS: '0',
    UPSTREAM_URL: upstreamUrl ?? 'http://127.0.0.1:9',
    UPSTREAM_APP_ID: APP.appId,
    UPSTREAM_APP_SECRET: APP.appSecret,
    UPSTREAM_VERIFY_TOKEN: APP.verifyToken,
    UPSTREAM_CONFIG_ID: 'bench',
    WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${receiverPort}`,
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}

/** The proportional share of a process of the memory, in MB. */
export async function readMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1024
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const HERE = import.meta.dirname
const HEAP = '--max-semi-space-size=16'
/** A start takes 2 s, and a hundred times as long beside other work. */
const START_MS_MAX = 180_000
const STOP_MS_MAX = 20_000

export type Program = {
  name: string
  child: ChildProcess
  /** Sends a message and waits for the reply with its id. */
  ask: (order: object) => Promise<Record<string, unknown>>
  tell: (order: object) => void
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

type Options = { root: string; args?: string[]; env?: Record<string, string>; log: string }

/** Starts a program that ends with this process. Its output goes to a file. */
export function start(name: string, file: string, { root, args = [], env = {}, log }: Options): Program {
  const { PATH = '' } = process.env
  const output = openSync(log, 'a')
  const preload = ['--import', join(HERE, 'end-with-parent.ts')]
  const isOurs = file.startsWith(HERE)
  const child = spawn(process.execPath, [HEAP, ...(isOurs ? [] : preload), file, ...args], {
    // Outside of the checkout, whose .env must not change a run.
    cwd: tmpdir(),
    env: { PATH, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...env },
    stdio: ['ignore', output, output, 'ipc'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  // A killed process takes no message.
  child.on('error', () => undefined)
  let asked = 0
  const tell = (order: object) => void (child.connected && child.send(order, () => undefined))
  return {
    name,
    child,
    tell,
    ask(order) {
      const id = ++asked
      return new Promise((resolve) => {
        const take = (reply: unknown) => {
          const found = reply as Record<string, unknown>
          if (found.id !== id) return
          child.off('message', take)
          resolve(found)
        }
        child.on('message', take)
        tell({ ...order, id })
      })
    },
  }
}

/** The first message of a program, with its address. */
export async function waitForAddress<T>({ name, child }: Program): Promise<T> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} ended while it started`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message as T
}

export async function waitUntilReady(name: string, url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS_MAX
  for (;;) {
    const signal = AbortSignal.timeout(5000)
    const answer = await fetch(`${url}/ready`, { signal }).catch(() => undefined)
    await answer?.body?.cancel().catch(() => undefined)
    if (answer?.ok) return
    if (hasEnded(child)) throw new Error(`${name} ended while it started`)
    if (Date.now() > deadline) throw new Error(`${name} does not become ready`)
    await delay(100)
  }
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Ends a process as an operator does, and by force if that takes too long. */
export async function stop({ child }: Program): Promise<void> {
  if (hasEnded(child)) return
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await once(child, 'exit')
  clearTimeout(timer)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ENTER = join(import.meta.dirname, 'enter.sh')
/** Docker gives it to a process whose image names no other. */
export const IMAGE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const NAMESPACES = ['--mount', '--propagation', 'private', '--pid', '--fork']
const OUTPUT_LENGTH = 20_000

/** An image has these for all its processes. */
export type Settings = { env: Record<string, string>; user: string; directory: string }
export type Bind = { source: string; target: string }
type Entry = {
  root: string
  settings: Settings
  command: string[]
  layers?: string[]
  binds?: Bind[]
  options?: string[]
}
export type Running = { child: ChildProcess; ended: Promise<number>; output: () => string }

/** Starts a command in a root file system, as process 1 of its own namespace. */
export function startIn({ root, settings, command, layers = [], binds = [], options = [] }: Entry): Running {
  const { env, user, directory } = settings
  return launch('unshare', [...NAMESPACES, 'sh', ENTER, root, user, directory, ...command], {
    ...processVariables(settings),
    ...env,
    ENTER_LAYERS: layers.join(':'),
    ENTER_BINDS: binds.map(({ source, target }) => `${source} ${target}`).join('\n'),
    ENTER_OPTIONS: options.join(' '),
  })
}

/** The processes that a process has started, and that have not ended. */
export function listChildren(pid: number | undefined): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number)
}

export function processVariables({ user }: Settings): Record<string, string> {
  return { PATH: IMAGE_PATH, HOME: user === 'root' ? '/root' : `/home/${user}` }
}

export function launch(program: string, args: string[], env?: Record<string, string>): Running {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(env && { env }) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-OUTPUT_LENGTH)
    })
  }
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    // A number for a signal too, as shells have it.
    child.once('close', (code) => resolve(code ?? 128))
  })
  return { child, ended, output: () => output }
}

/** Its output, once it has ended well. */
export async function finish(what: string, running: Running): Promise<string> {
  const code = await running.ended
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${running.output()}`)
  return running.output()
}

export const run = (program: string, ...args: string[]) => finish(`${program} ${args.join(' ')}`, launch(program, args))

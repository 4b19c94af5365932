import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, openSync } from 'node:fs'
import { join } from 'node:path'

export type Account = { uid: number; gid: number } | undefined
export type Daemon = { child: ChildProcess; kill: (signal?: NodeJS.Signals) => Promise<void> }

const PATHS = ['/usr/bin', '/usr/sbin', '/usr/local/bin']

/** The programs that a cluster needs, or the sentence that says which are missing. */
export function findPrograms() {
  const found = Object.fromEntries(['etcd', 'patroni', 'haproxy'].map((name) => [name, findProgram(name)]))
  const [bin] = globSync('/usr/lib/postgresql/*/bin/postgres')
    .sort()
    .map((file) => join(file, '..'))
  const missing = [...Object.keys(found).filter((name) => !found[name]), ...(bin ? [] : ['postgresql'])]
  const { etcd = '', patroni = '', haproxy = '' } = found
  return { missing, etcd, patroni, haproxy, bin: bin ?? '' }
}

function findProgram(name: string): string | undefined {
  return PATHS.map((path) => join(path, name)).find(existsSync)
}

/** PostgreSQL does not run as root. */
export function findAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const { pid } of running) if (pid !== undefined) endGroup(pid, 'SIGKILL')
})

/** Starts a program with a process group of its own, which is what is killed. */
export function startDaemon(
  program: string,
  args: string[],
  { account, home, log }: { account?: Account; home?: string; log: string },
): Daemon {
  const output = openSync(log, 'a')
  const { PATH = '' } = process.env
  const env = { PATH, ...(home && { HOME: home }) }
  const child = spawn(program, args, { stdio: ['ignore', output, output], detached: true, cwd: '/', env, ...account })
  running.add(child)
  const ended = once(child, 'exit')
  return {
    child,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      endGroup(child.pid, signal)
      await ended
      running.delete(child)
    },
  }
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err
  }
}

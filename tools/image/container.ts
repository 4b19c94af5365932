import { mkdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { finish, launch, listChildren, processVariables, type Running, run, startIn } from './running.ts'
import type { Image } from './stages.ts'

const START_MS_MAX = 120_000
const POLL_MS = 200
/** As `cap_drop: [ALL]` and `no-new-privileges` have it. */
const CONFINED = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

export type Container = Awaited<ReturnType<typeof startContainer>>

type Options = {
  image: Image
  /** An empty one: it gets the volumes, and the place where the image is mounted. */
  directory: string
  env: Record<string, string>
  /** The places that can be written, besides those that the image names. */
  volumes: string[]
}

/** Runs an image as compose.yaml does: its root cannot be written, and its account has no capabilities. */
export async function startContainer({ image, directory, env, volumes }: Options) {
  const root = join(directory, 'root')
  mkdirSync(root, { recursive: true })
  const settings = { ...image.settings, env: { ...image.settings.env, ...env } }
  const targets = [...new Set([...image.volumes, ...volumes])]
  const binds = targets.map((target, n) => ({ source: join(directory, `volume-${n}`), target }))
  // A new volume has what the image has there, and its owner.
  for (const { source, target } of binds) await run('cp', '-a', join(image.root, target), source)
  const { layers, command } = image
  const running = startIn({ root, settings, command, layers, binds, options: CONFINED })
  const pid = await findProcess(running)
  const variables = { ...processVariables(settings), ...settings.env }

  /** A command in the container, as `docker exec` runs it. */
  function execute(words: string[]): Running {
    const account = ['--reuid', settings.user, '--regid', settings.user, '--clear-groups', '--no-new-privs']
    const enter = ['--target', String(pid), '--mount', '--pid', '--root', '--wd', 'setpriv', ...account, ...words]
    return launch('nsenter', enter, variables)
  }

  return {
    running,
    /** Its line in /proc, as seen from this machine. */
    readStatus: (name: string) =>
      new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '',
    execute: (words: string[]) => finish(words.join(' '), execute(words)),
    readProgram: () => readlinkSync(`/proc/${pid}/exe`),
    tryToWrite: async (path: string) => (await execute(['touch', path]).ended) === 0,

    /** Until the check of the image passes, as often as it takes. */
    async waitUntilHealthy(): Promise<void> {
      const deadline = Date.now() + START_MS_MAX
      while ((await execute(image.health).ended) !== 0) {
        if (running.child.exitCode !== null || Date.now() > deadline) {
          throw new Error(`It does not become healthy:\n${running.output()}`)
        }
        await delay(POLL_MS)
      }
    },

    /** SIGTERM to process 1, as `docker stop` sends it. */
    async stop(): Promise<{ code: number; seconds: number }> {
      const start = performance.now()
      process.kill(pid, 'SIGTERM')
      const code = await running.ended
      return { code, seconds: (performance.now() - start) / 1000 }
    },
  }
}

/** Process 1 of the new namespace is the one child of `unshare`. */
async function findProcess({ child, output }: Running): Promise<number> {
  for (;;) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`It does not start:\n${output()}`)
    const [found] = listChildren(child.pid)
    if (found) return found
    await delay(POLL_MS)
  }
}

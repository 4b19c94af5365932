import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeLater } from '../removal.ts'

const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '../..')

/** Returns true if the repository has a commit of that name. */
export function isCommit(ref: string): boolean {
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`]
  return spawnSync('git', args, { cwd: ROOT }).status === 0
}

/** A commit in a temporary work tree, with its packages. */
export async function checkOut(ref: string): Promise<AsyncDisposable & { root: string }> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'hubline-compare-')))
  const root = join(directory, 'hubline')
  const stopped = new AbortController()
  const remove = removeLater(async () => {
    stopped.abort()
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    // Git knows nothing of it yet if the checkout is interrupted.
    await run('git', ['worktree', 'remove', '--force', root], { cwd: ROOT }).catch(() => undefined)
  })
  await run('git', ['worktree', 'add', '--detach', root, ref], { cwd: ROOT })
  if (!((await hasSamePackages(root)) && (await linkPackages(root)))) {
    await run('npm', ['ci'], { cwd: root, signal: stopped.signal, maxBuffer: 64 * 2 ** 20 })
  }
  return { root, [Symbol.asyncDispose]: remove }
}

/** Links to workspaces do not count: the hub needs none that only one of the versions has. */
async function hasSamePackages(root: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([readInstalled(ROOT), readInstalled(root)])
  return ours === theirs
}

async function readInstalled(root: string): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries<{ link?: boolean }>(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  return JSON.stringify(installed)
}

/** Hard links to the files of this work tree's packages; false on another file system, where there are none. */
async function linkPackages(root: string): Promise<boolean> {
  const { workspaces }: { workspaces: string[] } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  try {
    for (const folder of ['', ...workspaces]) {
      const packages = join(ROOT, folder, 'node_modules')
      await run('sh', ['-c', '[ ! -d "$1" ] || cp -al "$1" "$2"', 'sh', packages, join(root, folder)])
    }
  } catch {
    return false
  }
  await rm(join(root, 'node_modules/.cache'), { recursive: true, force: true })
  return true
}

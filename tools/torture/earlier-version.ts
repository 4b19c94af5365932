import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Its programs run from their sources, so that nothing has to be built or downloaded by a script of a package. */
const INSTALL = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']

/** The files of a commit in a temporary folder, with its packages. This needs the registry of npm, or its cache. */
export async function openEarlierVersion(repository: string, commit: string) {
  const root = await mkdtemp(join(tmpdir(), 'hubline-earlier-'))
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 5 })
  try {
    const archive = join(root, 'sources.tar')
    await run('git', ['archive', '--output', archive, commit], { cwd: repository })
    await run('tar', ['--extract', '--file', archive], { cwd: root })
    await run('npm', INSTALL, { cwd: root, maxBuffer: 64 * 2 ** 20 })
  } catch (err) {
    await remove()
    throw new Error(`${commit} could not be installed`, { cause: err })
  }
  return { root, [Symbol.asyncDispose]: remove }
}

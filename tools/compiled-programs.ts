import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { buildServer } from '../server/build.ts'

/** Compiles the hub of a checkout together with its packages, for those who start it often: it starts in half the time. */
export async function compilePrograms(root: string): Promise<AsyncDisposable & { directory: string }> {
  // Below `node_modules`, where the compiled hub finds what is not compiled in.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'programs-'))
  const compiler = (await import(join(root, 'server/build.ts'))) as { buildServer: typeof buildServer }
  await compiler.buildServer(directory, { withPackages: true })
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) }
}

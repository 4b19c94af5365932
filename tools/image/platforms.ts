import { cpSync, globSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readCopy, type Stage } from './dockerfile.ts'
import { finish, launch } from './running.ts'

/** As npm calls amd64 and arm64. */
const CPUS = ['x64', 'arm64'] as const
const PACKAGES = 'node_modules/'

export type Difference = { cpu: string; packages: string[]; files: number }

/** Installs what a stage installs for both architectures, and says what only one of them has. No script of a package is run. */
export async function comparePlatforms(context: string, { steps }: Stage, directory: string): Promise<Difference[]> {
  const command = steps.find(({ word, text }) => word === 'RUN' && text.startsWith('npm ci'))?.text ?? ''
  const lists: Set<string>[] = []
  for (const cpu of CPUS) {
    const folder = join(directory, cpu)
    mkdirSync(folder, { recursive: true })
    for (const { word, text } of steps) if (word === 'COPY') copyManifests(text, context, folder)
    const wanted = {
      npm_config_cpu: cpu,
      npm_config_os: 'linux',
      npm_config_libc: 'glibc',
      npm_config_ignore_scripts: 'true',
    }
    const env = { ...process.env, ...wanted, npm_config_prefer_offline: 'true' } as Record<string, string>
    await finish(command, launch('sh', ['-c', `cd "$0" && ${command}`, folder], env))
    lists.push(new Set(listFiles(folder)))
    rmSync(folder, { recursive: true, force: true })
  }
  return CPUS.map((cpu, n) => {
    const only = [...(lists[n] ?? [])].filter((path) => !lists[1 - n]?.has(path))
    return { cpu, packages: [...new Set(only.map(toPackage))].sort(), files: only.length }
  })
}

function copyManifests(text: string, context: string, folder: string): void {
  const { sources, target, from } = readCopy(text)
  if (from) return
  for (const path of sources.flatMap((source) => globSync(source, { cwd: context }))) {
    if (/(?:^|\/)(?:package(?:-lock)?\.json|\.npmrc)$/.test(path)) {
      cpSync(join(context, path), join(folder, target, relative(dirname(path), path)), { recursive: true })
    }
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(join(folder, PACKAGES), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** `node_modules/a/node_modules/@b/c/file` is a file of `@b/c`. */
function toPackage(path: string): string {
  const inside = path.slice(path.lastIndexOf(PACKAGES) + PACKAGES.length).split('/')
  return inside.slice(0, inside[0]?.startsWith('@') ? 2 : 1).join('/')
}

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
/** The workspaces that are packages, in the order in which a person would publish them. */
const WORKSPACES = ['sdk', 'cli', 'simulator', 'server'] as const

export type Package = { workspace: string; name: string; version: string; file: string }

/** The packages by the version of the repository. A workspace with another one is an error. */
export function listPackages(): Package[] {
  const { version } = readManifest('.')
  return WORKSPACES.map((workspace) => {
    const manifest = readManifest(workspace)
    if (manifest.version !== version) {
      throw new Error(`${workspace}/package.json has version ${manifest.version}, and package.json ${version}.`)
    }
    return { workspace, ...manifest, file: `${manifest.name.replace('@', '').replace('/', '-')}-${version}.tgz` }
  })
}

/** Builds the packages and writes one file for each to the folder. */
export function packAll(folder: string): Package[] {
  const packages = listPackages()
  run(process.execPath, [join(root, 'dashboard/build.ts'), '--if-stale'])
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const builds = mkdtempSync(join(tmpdir(), 'hubline-pack-'))
  try {
    for (const { workspace, file } of packages) {
      const build = join(builds, workspace)
      run(process.execPath, [join(root, workspace, 'build.ts'), build])
      run('npm', ['pack', build, '--silent', '--ignore-scripts', '--pack-destination', folder])
      if (!existsSync(join(folder, file))) throw new Error(`npm pack has not written ${file}.`)
    }
  } finally {
    rmSync(builds, { recursive: true, force: true })
  }
  return packages
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

function readManifest(workspace: string): { name: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  return { name, version }
}

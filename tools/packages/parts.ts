import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.ts'

/** The workspaces that a release consists of. Benchmarks and tools are in none. */
const RELEASED = ['sdk', 'cli', 'simulator', 'server', 'dashboard', 'locales']
const LICENSE_FILE = /^(?:license|copying|notice)/i
const FOLDER = 'node_modules/'
const RULE = '-'.repeat(80)

/** One part of the release that others have written, with the texts of its license where it is installed. */
export type Part = { name: string; version: string; license: string; path: string; integrity: string; texts: string[] }

type Locked = {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * The dependencies of what is released, without those of the development, of every platform. They are read from the lock file:
 * `npm sbom --omit dev` leaves out what a workspace needs for its development and another one for its work.
 */
export function listParts(): Part[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const found = new Set<string>()
  const open = [...RELEASED]
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[from] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = resolvePart(lock.packages, from, name)
      if (path === undefined || lock.packages[path]?.link || found.has(path)) continue
      found.add(path)
      open.push(path)
    }
  }
  return [...found].sort().map((path) => {
    const { version = '', license = '', integrity = '' } = lock.packages[path] ?? {}
    const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
    return { name, version, license, path, integrity, texts: readTexts(join(root, path)) }
  })
}

/** As Node finds it: in the folder of the package itself, or in that of one around it. */
function resolvePart(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/')))) {
    const path = around === '' ? FOLDER + name : `${around}/${FOLDER}${name}`
    if (packages[path]) return path
    if (around === '') return undefined
  }
}

function buildBom(parts: Part[]) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: parts.map(({ name, version, license, integrity }) => {
      const [algorithm = '', hash = ''] = integrity.split('-', 2)
      return {
        type: 'library',
        name,
        version,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        licenses: [{ license: { id: license } }],
        ...(algorithm === 'sha512' && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
        }),
      }
    }),
  }
}

/** Writes both files of a release, and returns their names. */
export function writeParts(folder: string): { files: string[]; parts: Part[] } {
  const parts = listParts()
  const sections = parts.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license || 'no license named'})`, ...texts].join('\n\n'),
  )
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(buildBom(parts), null, 2)}\n`)
  writeFileSync(join(folder, 'licenses.txt'), `${sections.join(`\n\n${RULE}\n\n`)}\n`)
  return { files: ['sbom.cdx.json', 'licenses.txt'], parts }
}

/** Nothing for a part that is not installed: one of another platform. */
function readTexts(directory: string): string[] {
  try {
    const files = readdirSync(directory).filter((file) => LICENSE_FILE.test(file))
    return files.sort().map((file) => readFileSync(join(directory, file), 'utf8').trim())
  } catch {
    // The platform of this machine is another.
    return []
  }
}

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.ts'

/** The workspaces that a release consists of. Benchmarks and tools are in none. */
const RELEASED = ['sdk', 'cli', 'simulator', 'server', 'dashboard', 'locales']
const LICENSE_FILE = /^(?:license|licence|copying|notice)/i
/** The packages of this repository have it. */
const OWN = 'cdx:npm:package:private'
const RULE = '-'.repeat(80)

/** One part of the release that others have written, with the texts of its license where it is installed. */
export type Part = { name: string; version: string; license: string; texts: string[] }

type License = { license?: { id?: string; name?: string }; expression?: string }
type Component = {
  version: string
  'bom-ref': string
  licenses?: License[]
  properties?: { name: string; value: string }[]
}
type Bom = { components: Component[] }

/** The dependencies of what is released, without those of the development, as CycloneDX of the lock file. */
export function readBom(): Bom {
  const workspaces = RELEASED.flatMap((workspace) => ['--workspace', workspace])
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', ...workspaces]
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })) as Bom
}

export function listParts({ components }: Bom): Part[] {
  return components.flatMap((component) => {
    const { version, licenses = [], properties = [] } = component
    if (properties.some((property) => property.name === OWN)) return []
    const name = component['bom-ref'].slice(0, -version.length - 1)
    const license = licenses.map((one) => one.expression ?? one.license?.id ?? one.license?.name ?? '').join(' AND ')
    return [{ name, version, license, texts: readTexts(name) }]
  })
}

/** Writes both files of a release, and returns their names. */
export function writeParts(folder: string): { files: string[]; parts: Part[] } {
  const bom = readBom()
  const parts = listParts(bom)
  const sections = parts.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license || 'no license named'})`, ...texts].join('\n\n'),
  )
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`)
  writeFileSync(join(folder, 'licenses.txt'), `${sections.join(`\n\n${RULE}\n\n`)}\n`)
  return { files: ['sbom.cdx.json', 'licenses.txt'], parts }
}

/** Nothing for a part that is not installed: one of another platform. */
function readTexts(name: string): string[] {
  const directory = join(root, 'node_modules', name)
  try {
    const files = readdirSync(directory).filter((file) => LICENSE_FILE.test(file))
    return files.sort().map((file) => readFileSync(join(directory, file), 'utf8').trim())
  } catch {
    // The platform of this machine is another.
    return []
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, parseSync, Visitor } from 'oxc-parser'

/** `isType`: the import leaves no trace at run time. */
export type Import = { specifier: string; line: number; isType: boolean }

/** One source file; `path` is relative to the repository and has forward slashes. */
export type Source = { path: string; text: string; program: Program; imports: Import[] }

const SOURCE = /\.[cm]?[jt]sx?$/
const FOREIGN_FOLDERS = new Set(['node_modules', 'dist', 'coverage'])
// A hub that was started in the checkout keeps its database here, which another account may own.
const DATA_DIR = 'data'

/** Every source file under the given folders of the repository, in a stable order. A missing folder is empty. */
export function readSources(root: string, folders: readonly string[]): Source[] {
  return listFiles(root, folders, SOURCE).map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

export function parseSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`)
  return { path, text, program, imports: findImports(program, text) }
}

export function findLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** A test, or a helper of tests: a file in a folder called `test`. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.split('/').slice(0, -1).includes('test')
}

export function listFiles(root: string, folders: readonly string[], name: RegExp): string[] {
  return folders.flatMap((folder) => {
    const entries = readFolder(join(root, folder)).sort((a, b) => (a.name < b.name ? -1 : 1))
    return entries.flatMap((entry) => {
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
      if (entry.name.startsWith('.') || FOREIGN_FOLDERS.has(entry.name) || path === DATA_DIR) return []
      if (entry.isDirectory()) return listFiles(root, [path], name)
      return name.test(entry.name) ? [path] : []
    })
  })
}

/** Static and dynamic imports, re-exports and `import('…')` types alike. */
function findImports(program: Program, text: string): Import[] {
  const imports: Import[] = []
  const add = (source: { value: unknown; start: number }, isType: boolean) =>
    imports.push({ specifier: String(source.value), line: findLine(text, source.start), isType })
  new Visitor({
    ImportDeclaration({ source, importKind, specifiers }) {
      const names = specifiers.filter((name) => name.type === 'ImportSpecifier')
      const areTypes = names.length > 0 && names.every((name) => name.importKind === 'type')
      add(source, importKind === 'type' || (areTypes && names.length === specifiers.length))
    },
    ExportNamedDeclaration: ({ source, exportKind }) => source && add(source, exportKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ImportExpression: ({ source }) => source.type === 'Literal' && add(source, false),
    TSImportType: ({ source }) => add(source, true),
  }).visit(program)
  return imports
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return []
    throw err
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Token, tokenize } from './tokens.ts'

export type Import = { specifier: string; line: number }

/** One source file; `path` is relative to the repository and has forward slashes. */
export type Source = { path: string; tokens: Token[]; imports: Import[]; lineCount: number }

const SOURCE = /\.[cm]?[jt]sx?$/
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage'])
// Where a hub started in the checkout keeps its database, which another account may own.
const DATA_DIR = 'data'

/** Every source file under the given folders of the repository, in a stable order. A folder that is not there is empty. */
export function readSources(root: string, folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => sourcePaths(root, folder))
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

export function parseSource(path: string, text: string): Source {
  const tokens = tokenize(text)
  return { path, tokens, imports: findImports(tokens), lineCount: text.replace(/\n$/, '').split('\n').length }
}

/** Static and dynamic imports, re-exports and `import('…')` types alike: a type that is known is a room that is known. */
export function findImports(tokens: Token[]): Import[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || tokens[index - 1]?.text === '.') return []
    const next = tokens[index + 1]
    const isStatic = (token.text === 'from' || token.text === 'import') && next?.kind === 'string'
    const isDynamic = token.text === 'import' && next?.text === '('
    const specifier = isStatic ? next.value : isDynamic ? tokens[index + 2]?.value : undefined
    return specifier === undefined ? [] : [{ specifier, line: token.line }]
  })
}

/** A test, or a helper of tests: what lies in a folder called `test`. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.split('/').slice(0, -1).includes('test')
}

function sourcePaths(root: string, folder: string): string[] {
  const entries = listFolder(join(root, folder)).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
    if (entry.name.startsWith('.') || NOT_OURS.has(entry.name) || path === DATA_DIR) return []
    if (entry.isDirectory()) return sourcePaths(root, path)
    return SOURCE.test(entry.name) ? [path] : []
  })
}

function listFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return []
    throw err
  }
}

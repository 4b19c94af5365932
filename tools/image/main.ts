import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkImages } from './checks.ts'
import { copyContext } from './stages.ts'

/**
 * `npm run test:image`: carries out the Dockerfile in root file systems, without a container engine, and runs both images as
 * compose.yaml does. It takes root on Debian with `mmdebstrap`, and the registry of npm. What it mounts is mounted for it
 * alone, and ends with it. Its files are in one temporary folder.
 */
const ROOT = join(import.meta.dirname, '../..')
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const APART = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc']
const [directory] = process.argv.slice(2)

process.exitCode = directory ? await runHere(directory) : await runApart()

async function runHere(folder: string): Promise<number> {
  const context = join(folder, 'context')
  copyContext(ROOT, context)
  await checkImages(context, folder)
  return 0
}

/** The same program with mounts and processes of its own, of which none outlives it. Its files are removed then. */
async function runApart(): Promise<number> {
  const missing = findMissing()
  if (missing) {
    console.log(`Skipped, because ${missing}.`)
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'hubline-image-'))
  // It runs programs as other accounts, which must be able to enter.
  chmodSync(folder, 0o755)
  const args = [...APART, process.execPath, import.meta.filename, folder]
  const child = spawn('unshare', args, { stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  return code ?? 1
}

function findMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'it mounts file systems, which takes root on Linux'
  const programs = ['mmdebstrap', 'unshare', 'nsenter', 'mount']
  const absent = programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return absent.length > 0 ? `this machine lacks ${absent.join(', ')}` : undefined
}

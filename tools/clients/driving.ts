import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client } from './clients.ts'

const DRIVERS = join(import.meta.dirname, 'drivers')
const PROGRAM_MS_MAX = 180_000
const STDERR_LENGTH = 800
const INSTALL_MS_MAX = 600_000

const execute = promisify(execFile)

export type CallResult = { name: string; works: boolean; problem?: string }

/** A folder with the drivers, in which clients are installed as their users do it. It is gone afterwards. */
export async function createWorkshop(opened: AsyncDisposableStack, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'hubline-drivers-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  await cp(DRIVERS, folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  return folder
}

/** Installs a client at its version. Throws if the registry does not have it. */
export async function installClient(folder: string, { installer, name, version }: Client): Promise<void> {
  const options = { cwd: folder, timeout: INSTALL_MS_MAX }
  if (installer === 'npm') {
    await execute('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', `${name}@${version}`], options)
    return
  }
  await execute('python3', ['-m', 'venv', 'venv'], options)
  await execute(join(folder, 'venv/bin/pip'), ['install', '--quiet', `${name}==${version}`], options)
}

/** Runs the driver of a client in `folder`, and returns what became of each call. */
export async function driveClient(folder: string, client: Client, worldFile: string): Promise<CallResult[]> {
  const env = { CLIENT_WORLD: worldFile, CLIENT_NAME: client.name }
  const { code, stdout, stderr } = await runProgram(client, folder, join(folder, client.driver), env)
  const results = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as CallResult] : []))
  if (code !== 0) results.push({ name: 'the whole driver', works: false, problem: `${code}: ${stderr}` })
  return results
}

/** Runs a program in the language of the client, where the client is installed. */
export async function runProgram({ installer }: Client, folder: string, file: string, env: Record<string, string>) {
  const program = installer === 'npm' ? process.execPath : join(folder, 'venv/bin/python')
  const child = spawn(program, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PROGRAM_MS_MAX,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-STDERR_LENGTH)
  })
  const [code, signal]: (number | string | null)[] = await once(child, 'close')
  return { code: code ?? signal, stdout, stderr }
}

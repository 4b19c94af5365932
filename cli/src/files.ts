import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Env = Record<string, string | undefined>

/** The folder with the user's settings: `HUBLINE_CONFIG_DIR`, or the place of the platform. */
export function findConfigDirectory(env: Env): string {
  if (env.HUBLINE_CONFIG_DIR) return env.HUBLINE_CONFIG_DIR
  if (process.platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'hubline')
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'hubline')
}

/** Undefined where there is no such file, or none that can be read as JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (err) {
    if (err instanceof SyntaxError || (err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
}

/** Only its user can read the file, from the first byte on; and a reader sees the old one or the new one. */
export async function writePrivateFile(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  // A new file: one that is there already may be a link of another user, or readable by others.
  await rm(temporary, { force: true })
  await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(temporary, path)
}

/** Returns true if other users of the machine can read the file. Windows has no such modes. */
export async function isReadableByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/** Returns true if another process has this id. Zero and negative ids name groups of processes. */
export function isRunning(pid: number): boolean {
  if (pid === process.pid || !(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (err) {
    // The process of another user exists too.
    return (err as NodeJS.ErrnoException).code === 'EPERM'
  }
}

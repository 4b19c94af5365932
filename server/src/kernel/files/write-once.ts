import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createDirectory } from '../directories.ts'

/**
 * Writes a file that only its owner may read, unless it exists. A hard link makes it appear complete, even if the process
 * is killed, and for only one of several processes.
 */
export function writeOnce(path: string, text: string): void {
  createDirectory(dirname(path))
  if (existsSync(path)) return
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, text, { mode: 0o600, flush: true })
  try {
    linkSync(temporary, path)
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'EEXIST')) throw err
  } finally {
    rmSync(temporary, { force: true })
  }
}

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a directory and its parents. Node's option `recursive` never ends where nothing can be created, as in /proc. */
export function createDirectory(path: string): void {
  if (isDirectory(path)) return
  if (!existsSync(dirname(path))) createDirectory(dirname(path))
  try {
    mkdirSync(path)
  } catch (err) {
    // Another process may have created it meanwhile.
    if (!isDirectory(path)) throw err
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

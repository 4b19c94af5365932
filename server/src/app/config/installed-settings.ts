import { readFileSync } from 'node:fs'
import { writeOnce } from '../../kernel/files/write-once.ts'

/** Settings that an installation creates once, and stores with its data. */
export function loadOrCreate<T>(path: string, created: T): T {
  writeOnce(path, JSON.stringify(created))
  return JSON.parse(readFileSync(path, 'utf8'))
}

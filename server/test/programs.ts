import { join } from 'node:path'

const SOURCES = join(import.meta.dirname, '../src/bin')

/** A program of the hub, which `npm test` has compiled into HUB_PROGRAMS; otherwise its source. */
export function findProgram(name: 'main' | 'admin'): string {
  const { HUB_PROGRAMS } = process.env
  return HUB_PROGRAMS ? join(HUB_PROGRAMS, `${name}.js`) : join(SOURCES, `${name}.ts`)
}

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { State } from './graph/state.ts'
import type { PaymentState } from './payments/state.ts'

/** The maps that survive a restart, beside all of payments. Media files, codes, uploads and calls do not. */
const PERSISTED = [
  'businesses',
  'accounts',
  'phones',
  'numberSettings',
  'tokens',
  'contacts',
  'users',
  'relations',
  'messages',
  'groups',
  'templates',
] as const
const SAVE_EVERY_MS = 2000
/** Increases when the shape of a stored object changes. */
const VERSION = 2

export interface StateFile {
  /** Marks the state as changed. */
  touch(): void
  /** Writes the file now, if the state has changed. */
  save(): void
  close(): void
}

/**
 * Keeps the state in a file, so that connected numbers survive a restart. The
 * file is written before a write to payments is answered, soon after every other
 * change, and at the end. If it cannot be read, the state begins empty.
 */
export function openStateFile(path: string | undefined, state: State, payments: PaymentState): StateFile {
  if (path === undefined) return { touch: () => undefined, save: () => undefined, close: () => undefined }
  const file = path
  restore(file, state, payments)
  let isTouched = false

  function save(): void {
    if (!isTouched) return
    isTouched = false
    const content = {
      version: VERSION,
      ...Object.fromEntries(PERSISTED.map((name) => [name, [...state[name]]])),
      payments: Object.fromEntries(Object.entries(payments.maps).map(([name, map]) => [name, [...map]])),
    }
    mkdirSync(dirname(file), { recursive: true })
    // Renaming is atomic: a process may end during a write.
    writeFileSync(`${file}.new`, serialize(content), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const timer = setInterval(save, SAVE_EVERY_MS)
  timer.unref()

  return {
    touch() {
      isTouched = true
    },
    save,
    close() {
      clearInterval(timer)
      save()
    },
  }
}

type Entries = Record<string, [string, never][]>

function restore(file: string, state: State, payments: PaymentState): void {
  try {
    const content = deserialize(readFileSync(file)) as Entries & { version?: unknown; payments?: Entries }
    if (content.version !== VERSION) throw new Error('The state file is of another version')
    for (const name of PERSISTED) for (const [key, value] of content[name] ?? []) state[name].set(key, value)
    for (const [name, map] of Object.entries(payments.maps)) {
      for (const [key, value] of content.payments?.[name] ?? []) map.set(key, value)
    }
  } catch {
    // The first start has no file, and a file of another version cannot be used.
    state.clear()
    payments.clear()
  }
}

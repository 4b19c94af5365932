import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { State } from './graph/state.ts'
import type { PaymentState } from './payments/state.ts'

/** What a restart keeps of the platform; of payments it keeps all. Files, codes, uploads and calls end with the process. */
const KEPT = [
  'businesses',
  'accounts',
  'phones',
  'tokens',
  'contacts',
  'users',
  'relations',
  'messages',
  'templates',
] as const
const SAVE_EVERY_MS = 2000

export interface StateFile {
  /** Something may have changed. */
  touch(): void
  close(): void
}

/**
 * Keeps a world in a file, so that numbers which a person has connected are
 * there after a restart. It is written a moment after every change and at the
 * end; a file that cannot be read is a world that begins anew.
 */
export function openStateFile(path: string | undefined, state: State, payments: PaymentState): StateFile {
  if (path === undefined) return { touch: () => undefined, close: () => undefined }
  const file = path
  restore(file, state, payments)
  let isTouched = false

  function save(): void {
    if (!isTouched) return
    isTouched = false
    const world = {
      ...Object.fromEntries(KEPT.map((name) => [name, [...state[name]]])),
      payments: Object.fromEntries(Object.entries(payments.maps).map(([name, map]) => [name, [...map]])),
    }
    mkdirSync(dirname(file), { recursive: true })
    // Whole or not at all: a process may end in the middle of a write.
    writeFileSync(`${file}.new`, serialize(world), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const timer = setInterval(save, SAVE_EVERY_MS)
  timer.unref()

  return {
    touch() {
      isTouched = true
    },
    close() {
      clearInterval(timer)
      save()
    },
  }
}

type Entries = Record<string, [string, never][]>

function restore(file: string, state: State, payments: PaymentState): void {
  try {
    const world = deserialize(readFileSync(file)) as Entries & { payments?: Entries }
    for (const name of KEPT) for (const [key, value] of world[name] ?? []) state[name].set(key, value)
    for (const [name, map] of Object.entries(payments.maps)) {
      for (const [key, value] of world.payments?.[name] ?? []) map.set(key, value)
    }
  } catch {
    // The first start has none, and one of another version is of no use.
    state.clear()
    payments.clear()
  }
}

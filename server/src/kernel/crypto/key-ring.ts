import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { writeOnce } from '../files/write-once.ts'

export type SealingKey = { id: string; bytes: Buffer }
/** The first key seals, and every key opens. */
export type KeyRing = readonly [SealingKey, ...SealingKey[]]

const KEY_BYTES = 32
const ENTRY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/

/** Parses `id:base64-of-32-bytes,…`. The error does not repeat the text: it is a secret. */
export function parseKeyRing(text: string): KeyRing {
  const keys = text.split(',').map((entry, index) => {
    const [, id, base64] = ENTRY.exec(entry.trim()) ?? []
    if (!id || !base64) throw new Error(`key ${index + 1} is not of the form id:base64-of-32-bytes`)
    return { id, bytes: Buffer.from(base64, 'base64') }
  })
  const [first, ...rest] = keys
  if (!first) throw new Error('it holds no key')
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('two keys have the same id')
  return [first, ...rest]
}

export function newKey(): SealingKey {
  return { id: `k${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`, bytes: randomBytes(KEY_BYTES) }
}

/**
 * The ring of an installation without SEALING_KEYS: a file that is created at the
 * first start. It is read again when it has changed, so that a running hub uses
 * a new key at once.
 */
export function openKeyRingFile(path: string) {
  let loaded: { version: string; ring: KeyRing } | undefined

  function read(): KeyRing {
    // Two rotations can have the same time, because the clock of a file system is coarse, but not the same inode and size.
    const { ino, mtimeMs, size } = statSync(path)
    const version = `${ino} ${mtimeMs} ${size}`
    if (loaded?.version !== version) loaded = { version, ring: parseKeyRing(readFileSync(path, 'utf8')) }
    return loaded.ring
  }

  return {
    read,

    createIfMissing(): void {
      writeOnce(path, format([newKey()]))
      read()
    },

    /** Adds a key in front. The older keys stay, because stored values still need them. */
    addKey(): SealingKey {
      const key = newKey()
      const temporary = `${path}.${key.id}`
      writeFileSync(temporary, format([key, ...read()]), { mode: 0o600, flush: true })
      renameSync(temporary, path)
      return key
    },
  }
}

function format(keys: readonly SealingKey[]): string {
  return keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(',')
}

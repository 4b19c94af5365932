import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type SealingKey = { id: string; bytes: Buffer }
/** The first key seals, all open. */
export type KeyRing = readonly [SealingKey, ...SealingKey[]]

const KEY_BYTES = 32
const ENTRY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/

/** Reads `id:base64-of-32-bytes,…`. Never repeats the text in the error: it is a secret. */
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
 * The ring of an installation without SEALING_KEYS: a file that is made at the
 * first start. The file is looked at again when it has changed, so that a
 * running hub follows an operator's rotation at once.
 */
export function keyRingFile(path: string) {
  let loaded: { version: string; ring: KeyRing } | undefined

  function read(): KeyRing {
    // A file system's clock is coarse: two rotations can share a time, but not a file and a length too.
    const { ino, mtimeMs, size } = statSync(path)
    const version = `${ino} ${mtimeMs} ${size}`
    if (loaded?.version !== version) loaded = { version, ring: parseKeyRing(readFileSync(path, 'utf8')) }
    return loaded.ring
  }

  return {
    read,

    /** The link makes the file appear whole, and only once however many processes start at a time. */
    createIfMissing(): void {
      mkdirSync(dirname(path), { recursive: true })
      if (existsSync(path)) return void read()
      const key = newKey()
      const temporary = `${path}.${key.id}`
      writeFileSync(temporary, format([key]), { mode: 0o600, flush: true })
      try {
        linkSync(temporary, path)
      } catch (err) {
        if (!(err instanceof Error && 'code' in err && err.code === 'EEXIST')) throw err
      } finally {
        rmSync(temporary, { force: true })
      }
      read()
    },

    /** Puts a new key in front. The older ones stay, since a value sealed a moment ago still needs them. */
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

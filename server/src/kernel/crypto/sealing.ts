import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A column of sealed values. Rows of a global table belong to no organization. */
export type SealedColumn = { table: string; column: string; isGlobal?: true }

/** The field that holds a sealed value. It is authenticated with the value, so a value copied to another row does not open. */
export type SealedPlace = SealedColumn & { organizationId: string; rowId: string }

export type Sealing = ReturnType<typeof createSealing>

/**
 * Seals secrets for storage: `<key id>.<base64url of nonce, tag and ciphertext>`,
 * AES-256-GCM. The first key of the ring seals; every key opens.
 */
export function createSealing(keyRing: () => KeyRing) {
  return {
    seal(plain: string, place: SealedPlace): string {
      const [key] = keyRing()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(buildAssociatedData(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },

    /** The plain text, or undefined when no key of the ring opens it: lost key, tampering, another row's value. */
    open(sealed: string, place: SealedPlace): string | undefined {
      const key = keyRing().find(({ id }) => id === readKeyId(sealed))
      const bytes = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64url')
      if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(buildAssociatedData(place))
        decipher.setAuthTag(tag)
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        // The tag does not match: the value was changed, or belongs to another key or row.
        return undefined
      }
    },

    currentKeyId(): string {
      return keyRing()[0].id
    },
  }
}

export function readKeyId(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf('.')))
}

function buildAssociatedData({ table, column, organizationId, rowId }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, organizationId, rowId]))
}

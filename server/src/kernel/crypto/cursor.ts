import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { invalidRequest } from '../errors.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export type Cursors = ReturnType<typeof createCursors>

/**
 * Opaque positions in a list. A cursor is encrypted and bound to its list
 * (tenant, parent, filters), so that a changed cursor, or one from another list,
 * is refused and does not return a wrong page.
 */
export function createCursors(key: () => Buffer) {
  const cursorKey = () => Buffer.from(hkdfSync('sha256', key(), '', 'cursor', 32))

  const cursors = {
    encode(position: string, list: readonly unknown[]): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', cursorKey(), nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(JSON.stringify(list)))
      const body = Buffer.concat([cipher.update(position, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },

    decode(cursor: string, list: readonly unknown[]): string {
      const bytes = Buffer.from(cursor, 'base64url')
      // Decoding skips characters that are not base64url, so several texts have the same bytes.
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) throw foreignCursor()
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES)
        const decipher = createDecipheriv('aes-256-gcm', cursorKey(), nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(JSON.stringify(list)))
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        // The tag does not match: the cursor was changed or belongs to another list.
        throw foreignCursor()
      }
    },

    /** Cuts a page off rows of which one more than `limit` was selected: the surplus row shows that another page follows. */
    toPage<Row extends { id: string }>(rows: Row[], limit: number, list: readonly unknown[]) {
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return { page: rows.slice(0, limit), next_cursor: last ? cursors.encode(last.id, list) : null }
    },
  }
  return cursors
}

function foreignCursor() {
  return invalidRequest('cursor_of_another_list', { path: '/cursor' })
}

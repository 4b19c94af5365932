import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidRequest } from '../errors.ts'

const MAC_BYTES = 16

export type Cursors = ReturnType<typeof createCursors>

/**
 * Opaque positions in a list. A cursor carries a MAC over its position and over
 * what the list was asked for (tenant, parent, filters), so that an altered
 * cursor, or one from another list, is refused instead of showing a wrong page.
 */
export function createCursors(key: () => Buffer) {
  function mac(position: string, list: readonly unknown[]): Buffer {
    const content = JSON.stringify([position, ...list])
    return createHmac('sha256', key()).update('cursor').update(content).digest().subarray(0, MAC_BYTES)
  }

  return {
    encode(position: string, list: readonly unknown[]): string {
      return Buffer.concat([mac(position, list), Buffer.from(position)]).toString('base64url')
    },

    decode(cursor: string, list: readonly unknown[]): string {
      const bytes = Buffer.from(cursor, 'base64url')
      const position = bytes.subarray(MAC_BYTES).toString()
      // Decoding skips what is not base64url, so that other texts would give the same bytes.
      const isWhole = bytes.length > MAC_BYTES && bytes.toString('base64url') === cursor
      if (!isWhole || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(position, list))) {
        const message = 'The cursor does not belong to this list. Start again without it.'
        throw invalidRequest(message, [{ path: '/cursor', message }])
      }
      return position
    },
  }
}

import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { SealedColumn, SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'

export const ACCESS_TOKEN: SealedColumn = { table: 'channels', column: 'access_token' }

const CACHE_SIZE = 1000

/** Encrypts and decrypts the channels' upstream tokens. Decrypting costs more CPU than the rest of a send: it is cached. */
export function createAccessTokens(sealing: Sealing) {
  const cache = new BoundedMap<string, string>(CACHE_SIZE)

  return {
    /** Undefined if there is no token or no key decrypts it. */
    read(organizationId: string, row: { id: string; access_token: string | null }): string | undefined {
      if (row.access_token === null) return undefined
      const name = `${organizationId} ${row.id} ${row.access_token}`
      const token = cache.get(name) ?? sealing.open(row.access_token, toSealedPlace(organizationId, row.id))
      if (token === undefined) return undefined
      cache.set(name, token)
      return token
    },

    seal(key: { organizationId: string; id: string }, token: string): string {
      return sealing.seal(token, toSealedPlace(key.organizationId, key.id))
    },
  }
}

function toSealedPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...ACCESS_TOKEN, organizationId, rowId }
}

import type { SealedColumn, SealedPlace } from '../../../kernel/crypto/sealing.ts'

export const PERSON: SealedColumn = { table: 'erasures', column: 'person' }

/** The row and column of an erasure's person. The seal is valid only there. */
export function toPersonPlace({ organizationId, id }: { organizationId: string; id: string }): SealedPlace {
  return { ...PERSON, organizationId, rowId: id }
}

import type { SealedColumn, SealedPlace } from '../../../kernel/crypto/sealing.ts'

export const SECRET: SealedColumn = { table: 'webhook_endpoints', column: 'secret' }

/** The row and column of an endpoint's secret. The seal is valid only there. */
export function toSecretPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...SECRET, organizationId, rowId }
}

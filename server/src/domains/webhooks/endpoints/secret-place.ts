import type { SealedColumn, SealedPlace } from '../../../kernel/crypto/sealing.ts'

export const SECRET: SealedColumn = { table: 'webhook_endpoints', column: 'secret' }

/** Where an endpoint's secret is kept, which its seal is bound to. */
export function secretPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...SECRET, organizationId, rowId }
}

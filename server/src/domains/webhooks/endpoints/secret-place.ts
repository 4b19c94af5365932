import type { SealedColumn, SealedPlace } from '../../../kernel/crypto/sealing.ts'

export const SECRET: SealedColumn = { table: 'webhook_endpoints', column: 'secret' }
export const PREVIOUS_SECRET: SealedColumn = { table: 'webhook_endpoints', column: 'previous_secret' }

/** The row and column of an endpoint's secret. The seal is valid only there. */
export function toSecretPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...SECRET, organizationId, rowId }
}

export function toPreviousSecretPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...PREVIOUS_SECRET, organizationId, rowId }
}

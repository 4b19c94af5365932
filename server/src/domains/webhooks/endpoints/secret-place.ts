import type { SealedPlace } from '../../../kernel/crypto/sealing.ts'

/** Where an endpoint's secret is kept, which its seal is bound to. */
export function secretPlace(organizationId: string, rowId: string): SealedPlace {
  return { table: 'webhook_endpoints', column: 'secret', organizationId, rowId }
}

import type { Tx } from '../../../kernel/db/pool.ts'

/** Nothing that is claimed from here on is signed with the old secret: a worker goes by the version. */
export async function replaceSecret(
  tx: Tx,
  e: { organizationId: string; id: string; sealedSecret: string },
): Promise<boolean> {
  const result = await tx`
    update webhook_endpoints
    set secret = ${e.sealedSecret}, version = version + 1, updated_at = hub_now()
    where organization_id = ${e.organizationId}
      and id = ${e.id}`
  return result.count === 1
}

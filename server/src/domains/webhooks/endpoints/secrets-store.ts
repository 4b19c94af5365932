import type { Tx } from '../../../kernel/db/pool.ts'

/** The new version makes workers reload the secret, so no later claim is signed with the old one. */
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

import type { Sql, Tx } from '../../../kernel/db/pool.ts'

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

/** A page of sealed secrets that another key than `keyId` sealed. */
export async function listSealed(
  sql: Sql,
  p: { keyId: string; limit: number; after: { organizationId: string; id: string } | null },
): Promise<{ organization_id: string; id: string; secret: string }[]> {
  return sql<{ organization_id: string; id: string; secret: string }[]>`
    select organization_id, id, secret
    from webhook_endpoints
    where split_part(secret, '.', 1) <> ${p.keyId}
      and (${p.after?.id ?? null}::uuid is null
        or (organization_id, id) > (${p.after?.organizationId ?? null}::uuid, ${p.after?.id ?? null}::uuid))
    order by organization_id, id
    limit ${p.limit}`
}

/** Replaces a secret only where it is still the one that was read: it may be rotated meanwhile. */
export async function replaceSealed(
  sql: Sql,
  rows: { organizationId: string; id: string; from: string; to: string }[],
): Promise<number> {
  const result = await sql`
    update webhook_endpoints e
    set secret = r.new_secret
    from unnest(
      ${sql.array(rows.map((row) => row.organizationId))}::uuid[],
      ${sql.array(rows.map((row) => row.id))}::uuid[],
      ${sql.array(rows.map((row) => row.from))}::text[],
      ${sql.array(rows.map((row) => row.to))}::text[]
    ) as r (organization_id, id, old_secret, new_secret)
    where e.organization_id = r.organization_id
      and e.id = r.id
      and e.secret = r.old_secret`
  return result.count
}

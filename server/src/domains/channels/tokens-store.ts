import type { Sql } from '../../kernel/db/pool.ts'

/** A page of stored upstream tokens that another key than `keyId` sealed. */
export async function listSealed(
  sql: Sql,
  p: { keyId: string; limit: number; after: { organizationId: string; id: string } | null },
): Promise<{ organization_id: string; id: string; access_token: string }[]> {
  return sql<{ organization_id: string; id: string; access_token: string }[]>`
    select organization_id, id, access_token
    from channels
    where access_token is not null
      and split_part(access_token, '.', 1) <> ${p.keyId}
      and (${p.after?.id ?? null}::uuid is null
        or (organization_id, id) > (${p.after?.organizationId ?? null}::uuid, ${p.after?.id ?? null}::uuid))
    order by organization_id, id
    limit ${p.limit}`
}

/** Replaces a token only where it is still the one that was read: the channel may reconnect meanwhile. */
export async function replaceSealed(
  sql: Sql,
  rows: { organizationId: string; id: string; from: string; to: string }[],
): Promise<number> {
  const result = await sql`
    update channels c
    set access_token = r.new_token
    from unnest(
      ${sql.array(rows.map((row) => row.organizationId))}::uuid[],
      ${sql.array(rows.map((row) => row.id))}::uuid[],
      ${sql.array(rows.map((row) => row.from))}::text[],
      ${sql.array(rows.map((row) => row.to))}::text[]
    ) as r (organization_id, id, old_token, new_token)
    where c.organization_id = r.organization_id
      and c.id = r.id
      and c.access_token = r.old_token`
  return result.count
}

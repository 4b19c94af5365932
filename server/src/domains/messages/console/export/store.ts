import type { Sql } from '../../../../kernel/db/pool.ts'

/** The exports of owners have a lease of their own. */
export type ExportKey = { organizationId: string; isOfOwner: boolean; id: string }

/** Begins an export unless another one under its lease is running, in any process. */
export async function claimExport(sql: Sql, e: ExportKey & { leaseSeconds: number }): Promise<boolean> {
  const rows = await sql`
    insert into export_leases (organization_id, is_of_owner, id, expires_at)
    values (${e.organizationId}, ${e.isOfOwner}, ${e.id}, hub_now() + make_interval(secs => ${e.leaseSeconds}))
    on conflict (organization_id, is_of_owner) do update
    set id = excluded.id, expires_at = excluded.expires_at
    where export_leases.expires_at <= hub_now()
    returning id`
  return rows.length === 1
}

/** Returns false if the lease expired and another export began. */
export async function renewExport(sql: Sql, e: ExportKey & { leaseSeconds: number }): Promise<boolean> {
  const rows = await sql`
    update export_leases
    set expires_at = hub_now() + make_interval(secs => ${e.leaseSeconds})
    where organization_id = ${e.organizationId}
      and is_of_owner = ${e.isOfOwner}
      and id = ${e.id}
    returning id`
  return rows.length === 1
}

export async function deleteExport(sql: Sql, key: ExportKey): Promise<void> {
  await sql`
    delete from export_leases
    where organization_id = ${key.organizationId}
      and is_of_owner = ${key.isOfOwner}
      and id = ${key.id}`
}

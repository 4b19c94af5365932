import type { Sql } from '../../../kernel/db/pool.ts'

type Preview = { organizationId: string; prorationDate: string; basis: string }

export async function insertPreview(sql: Sql, p: Preview): Promise<void> {
  await sql`
    insert into billing_previews (organization_id, proration_date, basis)
    values (${p.organizationId}, ${p.prorationDate}, ${p.basis})
    on conflict (organization_id, proration_date, basis) do update set previewed_at = hub_now()`
}

export async function wasPreviewed(sql: Sql, p: Preview & { withinSeconds: number }): Promise<boolean> {
  const rows = await sql`
    select 1
    from billing_previews
    where organization_id = ${p.organizationId}
      and proration_date = ${p.prorationDate}
      and basis = ${p.basis}
      and previewed_at > hub_now() - make_interval(secs => ${p.withinSeconds})`
  return rows.length === 1
}

export async function deleteOldPreviews(sql: Sql, olderSeconds: number): Promise<void> {
  await sql`
    delete from billing_previews
    where previewed_at < hub_now() - make_interval(secs => ${olderSeconds})`
}

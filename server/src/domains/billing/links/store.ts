import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { PaidPlan } from '../plans/plans.ts'

export type LinkKind = 'portal' | 'plan'

export async function insertLink(
  tx: Tx,
  l: {
    organizationId: string
    id: string
    kind: LinkKind
    plan: PaidPlan | null
    tokenHash: Buffer
    lifeSeconds: number
  },
): Promise<void> {
  await tx`
    insert into billing_links (organization_id, id, kind, plan, expires_at)
    values (${l.organizationId}, ${l.id}, ${l.kind}, ${l.plan}, hub_now() + make_interval(secs => ${l.lifeSeconds}))`
  await tx`
    insert into billing_link_hashes (token_hash, organization_id, link_id)
    values (${l.tokenHash}, ${l.organizationId}, ${l.id})`
}

type Link = { organization_id: string; id: string; plan: PaidPlan | null; is_open: boolean }

export async function findLink(sql: Sql, tokenHash: Buffer, kind: LinkKind): Promise<Link | undefined> {
  const [row] = await sql<Link[]>`
    select l.organization_id, l.id, l.plan, l.used_at is null and l.expires_at > hub_now() as is_open
    from billing_link_hashes h
    join billing_links l on l.organization_id = h.organization_id and l.id = h.link_id
    where h.token_hash = ${tokenHash}
      and l.kind = ${kind}`
  return row
}

/** The row's lock lets one of several concurrent calls succeed. */
export async function markUsed(sql: Sql, key: { organizationId: string; id: string }): Promise<boolean> {
  const rows = await sql`
    update billing_links
    set used_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and used_at is null
      and expires_at > hub_now()
    returning id`
  return rows.length === 1
}

export async function markUnused(sql: Sql, key: { organizationId: string; id: string }): Promise<void> {
  await sql`
    update billing_links
    set used_at = null
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
}

/** A used or expired link is kept for some days, in which it is 410 and not 404. */
export async function deleteOldLinks(sql: Sql, days: number): Promise<void> {
  await sql`
    delete from billing_links
    where expires_at < hub_now() - make_interval(days => ${days})`
}

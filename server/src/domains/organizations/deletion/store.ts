import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export async function markForDeletion(tx: Tx, id: string, graceDays: number): Promise<string> {
  const [row] = await tx<{ deletes_at: string }[]>`
    update organizations
    set deletes_at = hub_now() + make_interval(days => ${graceDays})
    where id = ${id}
    returning deletes_at`
  if (!row) throw new Error('The update of a locked organization matched no row')
  return row.deletes_at
}

/** False if no deletion waits. One that has begun does not wait any more. */
export async function unmarkForDeletion(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`
    update organizations
    set deletes_at = null, deletion_leased_until = null
    where id = ${id}
      and deletes_at is not null
      and deletion_began_at is null`
  return count > 0
}

type PendingDeletion = {
  organization_id: string
  name: string
  deletes_at: string
  began_at: string | null
  shut_off_at: string | null
}

export async function listPending(sql: Sql): Promise<PendingDeletion[]> {
  return sql<PendingDeletion[]>`
    select id as organization_id, name, deletes_at, deletion_began_at as began_at, shut_off_at
    from organizations
    where deletes_at is not null
    order by deletes_at, id`
}

export type ClaimedDeletion = { id: string; began_at: string | null; shut_off_at: string | null }

/**
 * Leases a deletion whose time has come, or one that was shut off `quietSeconds` ago. The lease keeps a second process
 * from doing the same work, and is no more than that: each step is safe in two processes at once.
 */
export async function claimDue(
  sql: Sql,
  c: { leaseSeconds: number; quietSeconds: number },
): Promise<ClaimedDeletion | undefined> {
  const [row] = await sql<ClaimedDeletion[]>`
    update organizations
    set deletion_leased_until = hub_now() + make_interval(secs => ${c.leaseSeconds})
    where id = (
      select id
      from organizations
      where deletes_at <= hub_now()
        and (deletion_leased_until is null or deletion_leased_until <= hub_now())
        and (shut_off_at is null or shut_off_at <= hub_now() - make_interval(secs => ${c.quietSeconds}))
      order by deletes_at
      limit 1
      for update skip locked)
    returning id, deletion_began_at as began_at, shut_off_at`
  return row
}

/** False if the deletion was canceled since it was claimed. */
export async function markBegun(sql: Sql, id: string): Promise<boolean> {
  const { count } = await sql`
    update organizations
    set deletion_began_at = coalesce(deletion_began_at, hub_now())
    where id = ${id}
      and deletes_at <= hub_now()`
  return count > 0
}

export async function renewLease(sql: Sql, id: string, leaseSeconds: number): Promise<void> {
  await sql`
    update organizations
    set deletion_leased_until = hub_now() + make_interval(secs => ${leaseSeconds})
    where id = ${id}`
}

export async function markShutOff(sql: Sql, id: string): Promise<void> {
  await sql`
    update organizations
    set shut_off_at = hub_now(), deletion_leased_until = null
    where id = ${id}
      and shut_off_at is null`
}

/** Fails while a row of another table refers to it. False if another process has deleted it. */
export async function deleteOrganization(sql: Sql, id: string): Promise<boolean> {
  const { count } = await sql`
    delete from organizations
    where id = ${id}
      and shut_off_at is not null`
  return count > 0
}

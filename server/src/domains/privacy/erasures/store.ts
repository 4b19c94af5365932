import type { Json, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Erasure, ErasureCounts, Stage } from './schemas.ts'

export type ErasureKey = { organizationId: string; id: string }

const erasureColumns = (sql: Sql) => sql`
  id, status, stage, counts, json_build_object('id', requested_by_id, 'name', requested_by_name) as requested_by,
  requested_at, done_at`

export async function listRunning(tx: Tx, organizationId: string): Promise<{ id: string; person: string }[]> {
  return tx<{ id: string; person: string }[]>`
    select id, person
    from erasures
    where organization_id = ${organizationId}
      and status = 'running'`
}

export async function insertErasure(
  tx: Tx,
  e: ErasureKey & { person: string; requestedBy: { id: string; name: string | null } },
): Promise<void> {
  await tx`
    insert into erasures (organization_id, id, person, requested_by_id, requested_by_name)
    values (${e.organizationId}, ${e.id}, ${e.person}, ${e.requestedBy.id}, ${e.requestedBy.name})`
}

export async function findErasure(sql: Sql, key: ErasureKey): Promise<Erasure | undefined> {
  const [row] = await sql<Erasure[]>`
    select ${erasureColumns(sql)}
    from erasures
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
  return row
}

/** Newest first. */
export async function listErasures(
  sql: Sql,
  f: { organizationId: string; before: string | null; limit: number },
): Promise<Erasure[]> {
  return sql<Erasure[]>`
    select ${erasureColumns(sql)}
    from erasures
    where organization_id = ${f.organizationId}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
    order by id desc
    limit ${f.limit}`
}

export type ClaimedErasure = {
  organization_id: string
  id: string
  person: string
  stage: Stage | null
  place: Json
  counts: Partial<ErasureCounts>
  requested_at: string
  requested_by_id: string | null
  requested_by_name: string | null
}

/** Hands an erasure to this worker, and one of a worker that died when its lease has expired. */
export async function claimErasure(
  sql: Sql,
  c: { claim: string; leaseSeconds: number; afterSeconds: number; except: readonly string[] },
): Promise<ClaimedErasure | undefined> {
  const [row] = await sql<ClaimedErasure[]>`
    update erasures
    set claim = ${c.claim}, leased_until = hub_now() + make_interval(secs => ${c.leaseSeconds})
    where (organization_id, id) = (
      select organization_id, id
      from erasures
      where status = 'running'
        and requested_at <= hub_now() - make_interval(secs => ${c.afterSeconds})
        and coalesce(leased_until <= hub_now(), true)
        and id <> all(${c.except}::uuid[])
      order by requested_at
      limit 1
      for update skip locked)
    returning organization_id, id, person, stage, place, counts, requested_at, requested_by_id, requested_by_name`
  return row
}

type Progress = { stage: Stage; place: Json; counts: Partial<ErasureCounts>; person: string }

/** Stores how far an erasure has come, with the batch that it erased. False if another worker has claimed it. */
export async function saveProgress(
  tx: Tx,
  p: ErasureKey & Progress & { claim: string; leaseSeconds: number },
): Promise<boolean> {
  const { count } = await tx`
    update erasures
    set stage = ${p.stage}, place = ${tx.json(p.place)}, counts = ${tx.json(p.counts)}, person = ${p.person},
        leased_until = hub_now() + make_interval(secs => ${p.leaseSeconds})
    where organization_id = ${p.organizationId}
      and id = ${p.id}
      and claim = ${p.claim}
      and status = 'running'`
  return count === 1
}

export async function releaseClaim(sql: Sql, key: ErasureKey & { claim: string }): Promise<void> {
  await sql`
    update erasures
    set claim = null, leased_until = null
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and claim = ${key.claim}`
}

/** The person goes with the end of the erasure. */
export async function markDone(
  tx: Tx,
  key: ErasureKey & { claim: string; counts: Partial<ErasureCounts> },
): Promise<boolean> {
  const { count } = await tx`
    update erasures
    set status = 'done', person = null, stage = null, place = null, claim = null, leased_until = null,
        counts = ${tx.json(key.counts)}, done_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and claim = ${key.claim}
      and status = 'running'`
  return count === 1
}

import type { Sql, Tx } from '../db/pool.ts'

export async function insertCanary(sql: Sql, key: { id: string; canary: string }): Promise<void> {
  await sql`
    insert into sealing_keys (id, canary)
    values (${key.id}, ${key.canary})
    on conflict (id) do nothing`
}

export async function listCanaries(sql: Sql): Promise<{ id: string; canary: string }[]> {
  return sql<{ id: string; canary: string }[]>`
    select id, canary
    from sealing_keys
    order by id`
}

export async function deleteCanariesExcept(sql: Sql, id: string): Promise<void> {
  await sql`
    delete from sealing_keys
    where id <> ${id}`
}

/** Holds the lock until the transaction ends, which may be idle for long. */
export async function lockRotation(tx: Tx): Promise<void> {
  await tx`set local idle_in_transaction_session_timeout = 0`
  await tx`select pg_advisory_xact_lock(hashtextextended('rotate-sealing-key', 0))`
}

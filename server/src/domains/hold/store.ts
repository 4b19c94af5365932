import type { Sql } from '../../kernel/db/pool.ts'

/** The hold was set by a person, by a restore, or by a start on another database server than the one before. */
export const HOLD_REASONS = ['operator', 'restore', 'other_server'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]
export type HoldState = { since: string; reason: HoldReason }

export async function findHold(sql: Sql): Promise<HoldState | null> {
  const [row] = await sql<HoldState[]>`
    select held_since as since, hold_reason as reason
    from installation
    where held_since is not null`
  return row ?? null
}

/** A hold that is set already keeps its time and its reason. */
export async function setHold(sql: Sql, { since, reason }: { since: Date; reason: HoldReason }): Promise<void> {
  await sql`
    update installation
    set held_since = ${since}, hold_reason = ${reason}
    where held_since is null`
}

/** `systemIdentifier` becomes the one that later starts compare with. Null keeps the stored one. */
export async function clearHold(sql: Sql, systemIdentifier: string | null): Promise<boolean> {
  const [row] = await sql<{ was_held: boolean }[]>`
    with before as (
      select held_since is not null as was_held from installation for update
    )
    update installation
    set held_since = null, hold_reason = null, system_identifier = coalesce(${systemIdentifier}, system_identifier)
    from before
    returning was_held`
  return row?.was_held ?? false
}

/** Fails for a role that may not read it, and on servers that do not have the function. */
export async function readSystemIdentifier(sql: Sql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`
  if (!row) throw new Error('pg_control_system() has no row')
  return row.id
}

/**
 * Stores the first identifier, and sets the hold for another one. The stored one stays until the hold is released, so that
 * processes that start at once all see the same.
 */
export async function compareSystemIdentifier(sql: Sql, { id, now }: { id: string; now: Date }): Promise<void> {
  await sql`
    update installation
    set
      system_identifier = coalesce(system_identifier, ${id}),
      held_since = case when system_identifier <> ${id} then ${now} end,
      hold_reason = case when system_identifier <> ${id} then 'other_server' end
    where system_identifier is null
      and held_since is null
      or system_identifier <> ${id}
      and held_since is null`
}

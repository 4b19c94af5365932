import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { buildHeldKeys, DEFERRING_PROCESS_LOCKS, PROCESS_LOCKS } from '../../../kernel/db/session-lock.ts'
import { buildLogOfUnderWay, underWayColumns } from '../log/store.ts'
import { forgetLogged } from './settlement-store.ts'

type Key = { organizationId: string; channelId: string }

/** Sends that are being settled, or were marked unknown, keep their state. */
export async function extendLeases(
  sql: Sql,
  sends: (Key & { messageId: string })[],
  leaseSeconds: number,
): Promise<void> {
  await sql`
    with held as (
      select u.organization_id, u.message_id
      from ${rows(sql, sends, { organizationId: 'uuid', channelId: 'uuid', messageId: 'uuid' })} as s
      join unsettled_sends u
        on u.organization_id = s.organization_id and u.channel_id = s.channel_id and u.message_id = s.message_id
      where u.sending_until is not null
      for update of u skip locked
    )
    update unsettled_sends
    set sending_until = hub_now() + make_interval(secs => ${leaseSeconds})
    where ${isUnderWayIn(sql, sql`held`)}`
}

/** The rows of a query by their ids, and not by their places: a row that another transaction changed meanwhile has a new one. */
const isUnderWayIn = (sql: Sql, query: Fragment) => sql`
  organization_id = any(array(select organization_id from ${query}))
  and message_id = any(array(select message_id from ${query}))
  and sending_until is not null`

/** The processes that sends are under way in but that do not hold their lock. */
export async function listUnlockedProcesses(sql: Sql): Promise<number[]> {
  const processes = await sql<{ key: number }[]>`
    select lock_key as key
    from unsettled_sends
    where sending_until is not null
      and lock_key is not null
    except
    select key::int
    from (${buildHeldKeys(sql, PROCESS_LOCKS)}) h`
  return processes.map(({ key }) => key)
}

type MarkedSend = { organizationId: string; channelId: string; messageId: string }

/** Marks sends whose lease expired: their outcome is unknown. */
export async function markExpiredUnknown(sql: Sql, limit: number): Promise<MarkedSend[]> {
  return markUnknown(sql, sql`sending_until <= hub_now()`, limit)
}

/** The same for sends of processes, before their leases expire. */
export async function markUnknownOfProcesses(sql: Sql, lockKeys: number[], limit: number): Promise<MarkedSend[]> {
  return markUnknown(sql, sql`sending_until is not null and lock_key = any(${lockKeys}::int[])`, limit)
}

/**
 * Sends that the log does not have yet get their entry. Of the others the message is found by key and updated in place: for a
 * join by key the planner may read all messages.
 */
async function markUnknown(sql: Sql, condition: Fragment, limit: number): Promise<MarkedSend[]> {
  return sql<MarkedSend[]>`
    with ended as (
      select ${underWayColumns(sql)}
      from unsettled_sends
      where ${condition}
      order by organization_id, message_id
      limit ${limit}
      for update skip locked
    ),
    left_open as (
      update unsettled_sends
      set sending_until = null, ${forgetLogged(sql)}
      where ${isUnderWayIn(sql, sql`ended`)}
    ),
    logged as (
      ${buildLogOfUnderWay(sql, { from: sql`ended`, status: 'unknown' })}
      returning organization_id, channel_id, id
    ),
    changed as (
      update messages m
      set status = 'unknown'
      from ended e
      cross join lateral (
        select f.id, f.ctid as place
        from messages f
        where f.organization_id = e.organization_id
          and f.channel_id = e.channel_id
          and f.id = e.message_id
          and f.status = 'sending'
        limit 1
      ) f
      where e.type is null
        and m.id = f.id
        and m.ctid = f.place
      returning m.organization_id, m.channel_id, m.id
    )
    select organization_id as "organizationId", channel_id as "channelId", id as "messageId"
    from (select * from logged union all select * from changed) m`
}

const TABLES = { keys: 'message_keys', wamids: 'message_wamids', unsettled: 'unsettled_sends' } as const

/** The data kept about sends beside the log: Idempotency-Keys, upstream ids, unsettled sends. */
export type SendTable = keyof typeof TABLES
export const SEND_TABLES = Object.keys(TABLES) as SendTable[]

/** Deletes up to `limit` rows of messages older than an id, and returns how many. */
export async function deleteFrom(
  sql: Sql,
  tableName: SendTable,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const table = sql(TABLES[tableName])
  const result = await sql`
    delete from ${table}
    where ctid = any(array(
      select ctid
      from ${table}
      where message_id < ${before}::uuid
        ${tableName === 'unsettled' ? sql`and sending_until is null` : sql``}
      order by message_id
      limit ${limit}))`
  return result.count
}

/** True if log entries are written with the outcomes of sends. */
export async function isLogDeferred(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ is_deferred: boolean }[]>`select exists (select from deferred_log_entries) as is_deferred`
  return row?.is_deferred === true
}

export async function deferLog(sql: Sql): Promise<void> {
  await sql`insert into deferred_log_entries (since) select hub_now() where not exists (select from deferred_log_entries)`
}

/** The processes that do not find sends under way in `unsettled_sends`. */
export async function listEarlierProcesses(sql: Sql): Promise<number[]> {
  const processes = await sql<{ key: number }[]>`
    select key::int from (${buildHeldKeys(sql, PROCESS_LOCKS)}) h
    except
    select key::int from (${buildHeldKeys(sql, DEFERRING_PROCESS_LOCKS)}) h`
  return processes.map(({ key }) => key)
}

import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { ContactDetails } from './identify.ts'

export const CONTACT_COLUMNS = {
  organizationId: 'uuid',
  channelId: 'uuid',
  id: 'uuid',
  waId: 'text',
  userId: 'text',
  parentUserId: 'text',
  username: 'text',
  name: 'text',
  searchName: 'text',
  reversedNumber: 'text',
} as const

const columns = (sql: Sql) =>
  sql`organization_id, channel_id, id, wa_id, user_id, parent_user_id, username, name, search_name, reversed_number`

/**
 * Part of a statement: adds contacts, and what became known of them. Nothing is written of one that has it all. The number
 * of a contact is that of the upstream, once it gave one. The order of the ids prevents deadlocks, and each id comes once.
 * `except` is a query of ids of which nothing is written.
 */
export function buildContactWrite(
  sql: Sql,
  contacts: readonly ContactDetails[],
  { except }: { except?: Fragment } = {},
): Fragment {
  return sql`
    insert into contacts as c (${columns(sql)})
    select r.*
    from ${rows(sql, contacts, CONTACT_COLUMNS)} as r
    left join lateral (
      select wa_id, user_id, parent_user_id, username, name, reversed_number, true as is_known
      from contacts
      where organization_id = r.organization_id
        and id = r.id
      limit 1
    ) k on true
    where (k.is_known is null
        or r.wa_id <> coalesce(k.wa_id, '')
        or r.user_id <> coalesce(k.user_id, '')
        or r.parent_user_id <> coalesce(k.parent_user_id, '')
        or r.username <> coalesce(k.username, '')
        or r.name <> coalesce(k.name, '')
        or (k.reversed_number is null and r.reversed_number is not null))
      ${except ? sql`and r.id not in (${except})` : sql``}
    order by r.organization_id, r.id
    on conflict (organization_id, id) do update
    set wa_id = coalesce(excluded.wa_id, c.wa_id),
        user_id = coalesce(excluded.user_id, c.user_id),
        parent_user_id = coalesce(excluded.parent_user_id, c.parent_user_id),
        username = coalesce(excluded.username, c.username),
        name = coalesce(excluded.name, c.name),
        search_name = coalesce(excluded.search_name, c.search_name),
        reversed_number = case
          when excluded.wa_id is null then coalesce(c.reversed_number, excluded.reversed_number)
          else excluded.reversed_number end,
        changed_at = hub_now()`
}

/** Part of a statement: adds contacts of whom no more than a number or a user id is known. Those that exist stay. */
export function buildContactInsert(sql: Sql, contacts: Fragment): Fragment {
  return sql`
    insert into contacts (organization_id, channel_id, id, user_id, reversed_number)
    select distinct on (organization_id, id) organization_id, channel_id, id, user_id, reversed_number
    from (${contacts}) n
    order by organization_id, id
    on conflict (organization_id, id) do nothing`
}

export type ContactSearch = {
  organizationId: string
  /** Null for all channels. */
  channelId: string | null
  by:
    | { userId: string }
    /** From the last digit to the first, in the one spelling. */
    | { reversedNumber: string }
    | { reversedEnds: readonly string[] }
    | { namePrefix: string }
  limit: number
}

/**
 * Contacts by one of their columns. Those without a user id who have the number of one that was found belong to it, and so do
 * those to whom the upstream gave another number than the client wrote.
 */
export async function findContactIds(sql: Sql, s: ContactSearch): Promise<string[]> {
  const isInChannel = s.channelId === null ? sql`` : sql`and channel_id = ${s.channelId}`
  const found = await sql<{ id: string }[]>`
    with found as materialized (${selectFound(sql, s, isInChannel)})
    select id from found
    union
    select c.id
    from found f
    cross join lateral (
      select id
      from contacts
      where organization_id = ${s.organizationId}
        and reversed_number = reverse(f.wa_id)
        and channel_id = f.channel_id
        and f.user_id is null
      limit ${s.limit}
    ) c
    union
    select c.id
    from found f
    cross join lateral (
      select id
      from contacts
      where organization_id = ${s.organizationId}
        and reversed_number = f.reversed_number
        and channel_id = f.channel_id
        and user_id is null
      limit ${s.limit}
    ) c
    limit ${s.limit}`
  return found.map(({ id }) => id)
}

/** Each part ends at the limit: a union reads all of its parts before it returns a row. */
function selectFound(sql: Sql, { organizationId, by, limit }: ContactSearch, isInChannel: Fragment): Fragment {
  const select = (condition: Fragment) => sql`
    (select id, channel_id, user_id, wa_id, reversed_number
    from contacts
    where organization_id = ${organizationId}
      and ${condition}
      ${isInChannel}
    limit ${limit})`
  if ('userId' in by) return select(sql`user_id = ${by.userId}`)
  if ('reversedNumber' in by) return select(sql`reversed_number = ${by.reversedNumber}`)
  if ('namePrefix' in by) {
    const end = toRangeEnd(by.namePrefix)
    return sql`
      ${select(sql`search_name >= ${by.namePrefix} and search_name < ${end}`)}
      union
      ${select(sql`username >= ${by.namePrefix} and username < ${end}`)}`
  }
  const [first = '', second = first] = by.reversedEnds
  return sql`
    ${select(sql`reversed_number >= ${first} and reversed_number < ${toRangeEnd(first)}`)}
    union
    ${select(sql`reversed_number >= ${second} and reversed_number < ${toRangeEnd(second)}`)}`
}

/** The first text after all that begin with this one, in the order of bytes. A plan for any parameter can use a range, but not `like`. */
function toRangeEnd(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/**
 * The names of contacts, or their usernames. Of one who is known only by a number it is that of the contact of the channel
 * who has the number.
 */
export async function listNames(
  sql: Sql,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<{ id: string; name: string | null }[]> {
  return sql<{ id: string; name: string | null }[]>`
    select c.id, coalesce(c.name, c.username, n.name) as name
    from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (
      select id, channel_id, name, username, reversed_number
      from contacts
      where organization_id = ${organizationId}
        and id = k.id
      limit 1
    ) c
    left join lateral (
      select coalesce(name, username) as name
      from contacts
      where organization_id = ${organizationId}
        and reversed_number = c.reversed_number
        and channel_id = c.channel_id
        and coalesce(name, username) is not null
        and c.name is null
      order by changed_at desc
      limit 1
    ) n on true`
}

export type ContactRow = {
  id: string
  channel_id: string
  wa_id: string | null
  user_id: string | null
  parent_user_id: string | null
  username: string | null
  name: string | null
  changed_at: string
}

export async function listContacts(
  sql: Sql,
  p: { organizationId: string; before: string | null; limit: number },
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select id, channel_id, wa_id, user_id, parent_user_id, username, name, changed_at
    from contacts
    where organization_id = ${p.organizationId}
      ${p.before === null ? sql`` : sql`and id < ${p.before}`}
    order by id desc
    limit ${p.limit}`
}

/**
 * Deletes the contacts of a person: those with one of these user ids or numbers, and those of the number that the upstream
 * gave for one of them. `reversedNumbers` are in one spelling, `waIds` as the upstream may write them.
 */
export async function deleteContacts(
  tx: Tx,
  p: {
    organizationId: string
    userIds: readonly string[]
    reversedNumbers: readonly string[]
    waIds: readonly string[]
  },
): Promise<void> {
  await tx`
    with found as materialized (
      select id, channel_id, wa_id, user_id
      from contacts
      where organization_id = ${p.organizationId}
        and (user_id = any(${p.userIds}::text[])
          or reversed_number = any(${p.reversedNumbers}::text[])
          or wa_id = any(${p.waIds}::text[]))
    ),
    person as materialized (
      select id from found
      union
      select c.id
      from found f
      cross join lateral (
        select id
        from contacts
        where organization_id = ${p.organizationId}
          and reversed_number = reverse(f.wa_id)
          and channel_id = f.channel_id
          and f.user_id is null
      ) c
    )
    delete from contacts
    where organization_id = ${p.organizationId}
      and id = any(array(
        select id
        from contacts
        where organization_id = ${p.organizationId}
          and id = any(array(select id from person))
        order by id
        for update))`
}

export type ContactPlace = { organizationId: string; id: string }

/**
 * Looks at `limit` contacts after a place, and deletes those that did not change for some days and have no message or send under way. Returns
 * the place of the last; undefined at the end. Each is looked up by its key: for a join the planner may read all messages.
 */
export async function deleteUnused(
  sql: Sql,
  p: { after: ContactPlace; days: number; limit: number },
): Promise<ContactPlace | undefined> {
  const [row] = await sql<ContactPlace[]>`
    with looked_at as materialized (
      select organization_id, id, changed_at
      from contacts
      where (organization_id, id) > (${p.after.organizationId}, ${p.after.id})
      order by organization_id, id
      limit ${p.limit}
    ),
    unused as materialized (
      select organization_id, id
      from contacts c
      where (organization_id, id) in (
          select organization_id, id
          from looked_at
          where changed_at < hub_now() - make_interval(days => ${p.days})
        )
        and (
          select true
          from messages m
          where m.organization_id = c.organization_id
            and m.contact_id = c.id
          limit 1
        ) is null
        and (
          select true
          from unsettled_sends u
          where u.organization_id = c.organization_id
            and u.contact_id = c.id
            and u.sending_until is not null
          limit 1
        ) is null
      order by organization_id, id
      for update skip locked
    ),
    deleted as (
      delete from contacts
      where (organization_id, id) in (select organization_id, id from unused)
    )
    select organization_id as "organizationId", id
    from looked_at
    order by organization_id desc, id desc
    limit case when (select count(*) from looked_at) < ${p.limit} then 0 else 1 end`
  return row
}

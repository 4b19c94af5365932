import type { Fragment, Pool, Sql, Tx } from '../../kernel/db/pool.ts'
import { rows } from '../../kernel/db/rows.ts'

export type AlertKind = 'endpoint_paused' | 'channel_degraded' | 'channel_disconnected'

/** `subjectId` is the id of the endpoint or the channel. */
export type Alert = { organizationId: string; subjectId: string; kind: AlertKind; name: string }

/** Builds a query of the people who get mails about an organization. */
export type BuildRecipients = (sql: Sql) => Fragment

/**
 * Makes a mail due to each recipient who had none about the same subject within `quietSeconds`. The key serializes the
 * transactions that report the same subject, and the order of the rows keeps two of them from a deadlock.
 */
export async function insertAlerts(
  tx: Tx,
  alerts: readonly Alert[],
  { quietSeconds, buildRecipients }: { quietSeconds: number; buildRecipients: BuildRecipients },
): Promise<void> {
  const columns = { organizationId: 'uuid', subjectId: 'uuid', kind: 'text', name: 'text' } as const
  await tx`
    insert into alert_mails as m (organization_id, subject_id, user_id, id, kind, name)
    select distinct on (a.organization_id, a.subject_id, r.user_id)
      a.organization_id, a.subject_id, r.user_id, hub_id(), a.kind, a.name
    from ${rows(tx, [...alerts], columns)} as a
    join (${buildRecipients(tx)}) r on r.organization_id = a.organization_id
    order by 1, 2, 3
    on conflict (organization_id, subject_id, user_id) do update
    set id = excluded.id, kind = excluded.kind, name = excluded.name, occurred_at = excluded.occurred_at,
        due_at = excluded.due_at, attempts = 0
    where m.due_at is null
      and m.occurred_at <= hub_now() - make_interval(secs => ${quietSeconds})`
}

export type ClaimedMail = {
  organization_id: string
  subject_id: string
  user_id: string
  id: string
  kind: AlertKind
  name: string
  occurred_at: string
  attempts: number
  email: string
  language: string
  time_zone: string
  organization: string
}

/**
 * Claims due mails for good: no other process sends them, and neither does a later run of this one if it is killed. A mail to
 * a person who left, or does without, is claimed and not returned.
 */
export async function claimDue(
  sql: Pool,
  { limit, buildRecipients }: { limit: number; buildRecipients: BuildRecipients },
): Promise<ClaimedMail[]> {
  return sql<ClaimedMail[]>`
    with due as (
      select organization_id, subject_id, user_id
      from alert_mails
      where due_at <= hub_now()
      order by due_at
      limit ${limit}
      for update skip locked
    ),
    claimed as (
      update alert_mails m
      set due_at = null, attempts = m.attempts + 1
      from due d
      where m.organization_id = d.organization_id
        and m.subject_id = d.subject_id
        and m.user_id = d.user_id
      returning m.organization_id, m.subject_id, m.user_id, m.id, m.kind, m.name, m.occurred_at, m.attempts
    )
    select c.*, r.email, r.language, r.time_zone, r.organization
    from claimed c
    join (${buildRecipients(sql)}) r on r.organization_id = c.organization_id and r.user_id = c.user_id`
}

/** For a mail that the server certainly did not accept. A newer alert has another id, and stays as it is. */
export async function postpone(
  sql: Sql,
  p: Pick<ClaimedMail, 'organization_id' | 'subject_id' | 'user_id' | 'id'> & { seconds: number },
): Promise<void> {
  await sql`
    update alert_mails
    set due_at = hub_now() + make_interval(secs => ${p.seconds})
    where organization_id = ${p.organization_id}
      and subject_id = ${p.subject_id}
      and user_id = ${p.user_id}
      and id = ${p.id}
      and due_at is null`
}

export async function deleteOld(sql: Sql, olderSeconds: number): Promise<void> {
  await sql`
    delete from alert_mails
    where occurred_at < hub_now() - make_interval(secs => ${olderSeconds})
      and due_at is null`
}

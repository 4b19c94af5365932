import type { Sql } from '../../../kernel/db/pool.ts'

/** `generation` counts the customers of the organization that were replaced. */
type CustomerRow = { customer_id: string | null; generation: number }

export async function findCustomer(sql: Sql, organizationId: string): Promise<CustomerRow | undefined> {
  const [row] = await sql<CustomerRow[]>`
    select customer_id, generation
    from subscriptions
    where organization_id = ${organizationId}`
  return row
}

/** Returns the customer that is stored: an existing one stays. */
export async function insertCustomer(sql: Sql, c: { organizationId: string; customerId: string }): Promise<string> {
  const [row] = await sql<{ customer_id: string }[]>`
    insert into subscriptions as s (organization_id, customer_id)
    values (${c.organizationId}, ${c.customerId})
    on conflict (organization_id) do update set customer_id = coalesce(s.customer_id, excluded.customer_id)
    returning customer_id`
  if (!row) throw new Error('An upsert returned no row')
  return row.customer_id
}

/**
 * Keeps the customer's id as a former one. Without a replacement a paid plan keeps its customer. Matches the customer,
 * so that it does not replace one that another process has just stored. Returns whether it was replaced.
 */
export async function replaceCustomer(
  sql: Sql,
  c: { organizationId: string; customerId: string; replacementId: string | null },
): Promise<boolean> {
  const rows = await sql`
    with replaced as (
      update subscriptions
      set customer_id = ${c.replacementId}, generation = generation + 1
      where organization_id = ${c.organizationId}
        and customer_id = ${c.customerId}
        and (plan = 'free' or ${c.replacementId}::text is not null)
      returning organization_id
    ), kept as (
      insert into former_customers (customer_id, organization_id)
      select ${c.customerId}, organization_id
      from replaced
      on conflict (customer_id) do nothing
    )
    select organization_id
    from replaced`
  return rows.length === 1
}

export async function listFormerCustomers(sql: Sql, organizationId: string): Promise<string[]> {
  const rows = await sql<{ customer_id: string }[]>`
    select customer_id
    from former_customers
    where organization_id = ${organizationId}`
  return rows.map(({ customer_id }) => customer_id)
}

/** The only statement here without an organization: a callback names only the customer. */
export async function findOrganizationByCustomer(sql: Sql, customerId: string): Promise<string | undefined> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id
    from subscriptions
    where customer_id = ${customerId}
    union all
    select organization_id
    from former_customers
    where customer_id = ${customerId}
    limit 1`
  return row?.organization_id
}

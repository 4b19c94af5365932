import type { Sql } from '../../../kernel/db/pool.ts'

/** `generation` counts the earlier customers of the organization that the provider has deleted. */
type CustomerRow = { customer_id: string | null; generation: number }

export async function findCustomer(sql: Sql, organizationId: string): Promise<CustomerRow | undefined> {
  const [row] = await sql<CustomerRow[]>`
    select customer_id, generation
    from subscriptions
    where organization_id = ${organizationId}`
  return row
}

export async function findOrganizationName(sql: Sql, organizationId: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`select name from organizations where id = ${organizationId}`
  return row?.name
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

/** Matches the customer too, so that it does not remove the one that another process has just created. */
export async function deleteCustomer(sql: Sql, c: { organizationId: string; customerId: string }): Promise<void> {
  await sql`
    update subscriptions
    set customer_id = null, generation = generation + 1
    where organization_id = ${c.organizationId}
      and customer_id = ${c.customerId}`
}

/** The only statement here without an organization: a callback names only the customer. */
export async function findOrganizationByCustomer(sql: Sql, customerId: string): Promise<string | undefined> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from subscriptions where customer_id = ${customerId}`
  return row?.organization_id
}

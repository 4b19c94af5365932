-- Owner: domains/billing. Directory: from a customer at the payment provider that the organization had before to its
-- tenant. The id of a customer who may have paid is never forgotten: its callbacks still find the organization.
create table former_customers (
  customer_id text primary key,
  organization_id uuid not null references organizations (id),
  replaced_at timestamptz not null default hub_now()
);
create index former_customers_by_organization on former_customers (organization_id);

-- Owner: domains/billing. What an organization has at the payment provider, as far as it has paid. An organization
-- without a row has never been there. Whoever fetches its state takes the next ticket first, and writes only over
-- what an older ticket has written: an answer that was overtaken changes nothing.
create table subscriptions (
  organization_id uuid not null primary key references organizations (id),
  customer_id text constraint subscriptions_customer_unique unique,
  generation integer not null default 0, -- rises when the provider has lost the customer
  plan text not null default 'free' check (plan in ('free', 'starter', 'pro')),
  status text not null default 'none'
    check (status in ('none', 'pending_payment', 'active', 'past_due', 'suspended', 'canceled')),
  addons integer not null default 0,
  period_start timestamptz,
  current_period_end timestamptz,
  cancels_at timestamptz,
  ticket bigint not null default 0,
  written_ticket bigint not null default 0,
  fetched_at timestamptz,
  reconcile_at timestamptz not null default hub_now(),
  operation uuid,                        -- the change that is under way, and until when it may be
  operation_until timestamptz,
  channels_cap integer,                  -- while a change may lower a limit, the lower one holds
  webhook_endpoints_cap integer
);
create index subscriptions_to_reconcile on subscriptions (reconcile_at) where customer_id is not null;

-- Owner: domains/billing. The provider's callbacks by their ids, so that each counts once. Their bodies are not kept,
-- because nothing in them is believed.
create table payment_events (
  id text not null primary key,
  type text not null,
  customer_id text,
  received_at timestamptz not null default hub_now(),
  handled_at timestamptz
);
create index payment_events_open on payment_events (received_at) where handled_at is null;
create index payment_events_by_age on payment_events (received_at);

-- Owner: domains/billing. Requests that carry a key of the caller's. `change` is what is asked of the provider, kept
-- so that another try under the same key asks for exactly the same.
create table billing_requests (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  route text not null check (route in ('addons', 'checkout')),
  key text not null,
  body_hash bytea not null,
  change jsonb,
  answer text,                           -- sealed: it may hold a one-time link
  claimed_until timestamptz,
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, id),
  constraint billing_requests_key unique (organization_id, route, key)
);
create index billing_requests_by_age on billing_requests (created_at);

-- Owner: domains/billing. When a change was previewed, and as of which moment. Only such a moment can be charged for, and
-- only while nothing else was charged since: `basis` is the subscription with its latest invoice.
create table billing_previews (
  organization_id uuid not null references organizations (id),
  proration_date timestamptz not null,
  basis text not null,
  previewed_at timestamptz not null default hub_now(),
  primary key (organization_id, proration_date, basis)
);
create index billing_previews_by_age on billing_previews (previewed_at);

-- Owner: domains/billing. One-time links: to the provider's portal, and to the page that changes the plan.
create table billing_links (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('portal', 'plan')),
  plan text check ((plan is not null) = (kind = 'plan')),
  created_at timestamptz not null default hub_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, id)
);
create index billing_links_by_age on billing_links (expires_at);

-- Owner: domains/billing. Directory: from the hash in a link to its tenant.
create table billing_link_hashes (
  token_hash bytea primary key,
  organization_id uuid not null,
  link_id uuid not null,
  foreign key (organization_id, link_id) references billing_links (organization_id, id) on delete cascade
);

-- Owner: domains/billing. What was used, as it happens: only ever inserted, so that nobody waits for a counter.
create table usage_deltas (
  organization_id uuid not null,
  at timestamptz not null default hub_now(),
  seq bigint generated always as identity,
  counter text not null check (counter in ('messages_sent', 'messages_received', 'deliveries')),
  amount integer not null,
  primary key (organization_id, at, seq)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);

-- Owner: domains/billing. The deltas of a day, added up; a day in which a subscription's period begins has two rows.
create table usage_totals (
  organization_id uuid not null,
  counter text not null,
  since timestamptz not null,
  amount bigint not null,
  primary key (organization_id, counter, since)
);

-- An id whose beginning is the time, made where the rows are made.
create function hub_id() returns uuid
language sql volatile
as $$
  select (lpad(to_hex(floor(extract(epoch from hub_now()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- Owner: domains/events. What compat endpoints get of a channel's life in place of the envelope.
alter table events add column compat_body bytea;

-- Owner: domains/webhooks/endpoints. `version` rises with every change, so that a worker knows whether what it
-- remembers still holds. `generation` rises with every change of status; deliveries carry the one they were made
-- under, and those up to `canceled_generation` are canceled.
alter table webhook_endpoints
  add column version integer not null default 1,
  add column generation integer not null default 1,
  add column canceled_generation integer not null default 0,
  add column canceled_at timestamptz,
  add column paused_at timestamptz;
create index webhook_endpoints_paused on webhook_endpoints (paused_at) where status = 'paused';

-- Owner: domains/webhooks/deliveries. An endpoint without a row has failed nothing since its last success.
create table webhook_endpoint_health (
  organization_id uuid not null,
  endpoint_id uuid not null,
  consecutive_failures integer not null,
  primary key (organization_id, endpoint_id)
);

-- Owner: domains/webhooks/deliveries. Deliveries that are not over, and nothing else: a row goes when its delivery is
-- succeeded, dead or canceled. `turn_at` is the order in which an endpoint's deliveries are tried: first attempts come
-- before every retry, because theirs lies a century back.
create table delivery_queue (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  event_kind text not null,
  generation integer not null,
  replay_of uuid,
  attempts smallint not null default 0,
  due_at timestamptz not null default hub_now(),
  turn_at timestamptz not null default hub_now() - interval '100 years',
  claim uuid,
  leased_until timestamptz,
  last_http_status integer,
  last_error_code text,
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, endpoint_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
  fillfactor = 80
);
create index delivery_queue_turns on delivery_queue (organization_id, endpoint_id, turn_at) where claim is null;
create index delivery_queue_leases on delivery_queue (leased_until) where claim is not null;

-- Owner: domains/webhooks/deliveries. Deliveries that are over. Written once, never changed.
create table deliveries (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  event_kind text not null,
  replay_of uuid,
  status text not null check (status in ('succeeded', 'dead', 'canceled')),
  attempts smallint not null,
  due_at timestamptz not null,
  last_http_status integer,
  last_error_code text,
  delivered_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, endpoint_id, id)
) partition by range (id);
create table deliveries_default partition of deliveries default;

-- Owner: domains/webhooks/deliveries. What was sent and what came back, attempt by attempt.
create table delivery_attempts (
  organization_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  number smallint not null,
  http_status integer,
  error_code text,
  request_headers json,
  response_headers json,
  response_body bytea,
  address text,
  timings json,
  ended_at timestamptz not null default hub_now(),
  primary key (organization_id, delivery_id, id)
) partition by range (id);
create table delivery_attempts_default partition of delivery_attempts default;

-- Owner: domains/webhooks/endpoints. Endpoints that are gone, and whose log is yet to be removed.
create table deleted_endpoints (
  organization_id uuid not null,
  endpoint_id uuid not null,
  deleted_at timestamptz not null default hub_now(),
  primary key (organization_id, endpoint_id)
);

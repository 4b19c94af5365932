-- Owner: domains/webhooks/listeners. A stream of deliveries to a developer's machine. `attachment` names the stream that
-- sends now. Past `expires_at` a listener is over, and with an `end_reason` too: its row stays until no fan-out can have
-- read it, so that what such a fan-out inserts is found and deleted.
create table listeners (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  secret_hash bytea not null,
  event_types text[] not null,
  payload_mode text not null,
  -- Null for every channel.
  channel_ids uuid[],
  attachment uuid,
  expires_at timestamptz not null,
  end_reason text,
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, id)
);
create index listeners_expiry on listeners (expires_at);

-- Owner: domains/webhooks/listeners. What a listener has not acknowledged, and nothing else.
create table listener_deliveries (
  organization_id uuid not null,
  listener_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  event_kind text not null,
  primary key (organization_id, listener_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Owner: domains/events. Partitioned by id, which is partitioned by time: ids
-- are UUIDv7. What finds no partition of its day lands in the default one.
create table events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  channel_id uuid,
  occurred_at timestamptz not null,
  data jsonb not null,
  primary key (organization_id, id)
) partition by range (id);
create table events_default partition of events default;
create index events_by_channel on events (organization_id, channel_id, id);

-- Owner: domains/webhooks/endpoints.
create table webhook_endpoints (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  url text not null,
  secret text not null,                  -- sealed
  event_types text[] not null,
  payload_mode text not null check (payload_mode in ('normalized', 'upstream_raw')),
  delivery_format text not null check (delivery_format in ('native', 'compat')),
  all_channels boolean not null,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  created_at timestamptz not null default hub_now(),
  updated_at timestamptz not null default hub_now(),
  primary key (organization_id, id)
);

-- Owner: domains/webhooks/endpoints.
create table webhook_endpoint_channels (
  organization_id uuid not null,
  endpoint_id uuid not null,
  channel_id uuid not null,
  primary key (organization_id, endpoint_id, channel_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade
);
create index webhook_endpoint_channels_by_channel on webhook_endpoint_channels (organization_id, channel_id);

-- Owner: domains/channels. An archived channel keeps its row for the log and
-- for repeats of its deletion; archived_at hides it from everything else.
create table channels (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  external_id text,
  status text not null default 'pending' check (status in ('pending', 'active', 'degraded', 'disconnected')),
  phone_number_id text,
  waba_id text,
  display_phone_number text,
  verified_name text,
  quality_rating text,
  coexistence boolean not null default false,
  subscribed_ok boolean,
  access_token text,                     -- sealed
  checked_at timestamptz,
  created_at timestamptz not null default hub_now(),
  updated_at timestamptz not null default hub_now(),
  deletion_claimed_until timestamptz,    -- while one deletion asks the upstream, others wait for it
  archived_at timestamptz,
  deregistration text check (deregistration in ('done', 'failed', 'not-requested', 'no-number', 'no-credential')),
  primary key (organization_id, id)
);
create index channels_open on channels (organization_id, id) where archived_at is null;
create index channels_to_check on channels (checked_at) where archived_at is null and status <> 'pending';
create index channels_pending on channels (created_at) where archived_at is null and status = 'pending';

-- Owner: domains/channels. Directory: from the upstream's names to the channel
-- that holds the number. One row per number, so that no two channels share one.
create table channel_numbers (
  phone_number_id text primary key,
  waba_id text not null,
  display_digits text not null,
  organization_id uuid not null,
  channel_id uuid not null,
  foreign key (organization_id, channel_id) references channels (organization_id, id)
);
create index channel_numbers_by_account on channel_numbers (waba_id);
create unique index channel_numbers_by_channel on channel_numbers (organization_id, channel_id);

-- Owner: domains/connect-links. A link is open, claimed for the length of one
-- try, used, or ended by a newer one or by the end of its channel.
create table connect_links (
  organization_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  created_at timestamptz not null default hub_now(),
  expires_at timestamptz not null,
  claimed_until timestamptz,
  claim uuid,
  exchanged_code bytea,                  -- hash of the sign-up code that was exchanged last
  exchanged_token text,                  -- sealed; for a next try with the same code, which cannot be exchanged twice
  exchanged_until timestamptz,
  used_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, channel_id) references channels (organization_id, id)
);
create index connect_links_by_channel on connect_links (organization_id, channel_id);

-- Owner: domains/connect-links. Directory: from the hash in a link to its tenant.
create table connect_link_hashes (
  token_hash bytea primary key,
  organization_id uuid not null,
  link_id uuid not null,
  foreign key (organization_id, link_id) references connect_links (organization_id, id) on delete cascade
);

-- Owner: domains/media. The media ids that belong to a channel.
create table channel_media (
  organization_id uuid not null,
  channel_id uuid not null,
  media_id text not null,
  mime_type text,
  size_bytes bigint,
  sha256 text,
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, channel_id, media_id)
);

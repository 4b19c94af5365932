-- Owner: domains/statistics. What happened to messages, as it happens: only ever inserted, so that no transaction waits
-- for a counter. A job moves the rows into the tables below within seconds. Failures have the code of their error, or
-- '-' without one.
create table message_count_deltas (
  organization_id uuid not null,
  seq bigint generated always as identity,
  channel_id uuid not null,
  at timestamptz not null default hub_now(),
  error_code text not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  received integer not null,
  primary key (organization_id, seq)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);

-- Owner: domains/statistics. The counts of half an hour: of a channel, and, with a channel of zeros, of all channels
-- of an organization together.
create table message_counts (
  organization_id uuid not null,
  channel_id uuid not null,
  since timestamptz not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null,
  received bigint not null,
  primary key (organization_id, channel_id, since)
) with (fillfactor = 80);
create index message_counts_by_age on message_counts (since);

-- Owner: domains/statistics. Failures of half an hour by channel and error code.
create table error_counts (
  organization_id uuid not null,
  since timestamptz not null,
  channel_id uuid not null,
  error_code text not null,
  failed bigint not null,
  last_at timestamptz not null,
  primary key (organization_id, since, channel_id, error_code)
) with (fillfactor = 80);
create index error_counts_by_age on error_counts (since);

-- Owner: domains/statistics. When a channel received and sent last.
create table channel_activity (
  organization_id uuid not null,
  channel_id uuid not null,
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  primary key (organization_id, channel_id)
) with (fillfactor = 80);

-- Owner: domains/statistics. Attempts of deliveries, like the deltas of messages. `ms_50` are those that took at most
-- 50 milliseconds, `ms_100` those of more than 50 and at most 100, and `ms_more` those of more than the last bound.
create table attempt_count_deltas (
  organization_id uuid not null,
  seq bigint generated always as identity,
  endpoint_id uuid not null,
  at timestamptz not null default hub_now(),
  succeeded integer not null,
  failed integer not null,
  ms_50 integer not null,
  ms_100 integer not null,
  ms_200 integer not null,
  ms_400 integer not null,
  ms_800 integer not null,
  ms_1600 integer not null,
  ms_3200 integer not null,
  ms_6400 integer not null,
  ms_more integer not null,
  primary key (organization_id, seq)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);

-- Owner: domains/statistics. The counts of half an hour: of an endpoint, and, with an endpoint of zeros, of all endpoints of an
-- organization together.
create table attempt_counts (
  organization_id uuid not null,
  endpoint_id uuid not null,
  since timestamptz not null,
  succeeded bigint not null,
  failed bigint not null,
  ms_50 bigint not null,
  ms_100 bigint not null,
  ms_200 bigint not null,
  ms_400 bigint not null,
  ms_800 bigint not null,
  ms_1600 bigint not null,
  ms_3200 bigint not null,
  ms_6400 bigint not null,
  ms_more bigint not null,
  primary key (organization_id, endpoint_id, since)
) with (fillfactor = 80);
create index attempt_counts_by_age on attempt_counts (since);

-- Owner: domains/channels. Since when a channel has its status.
alter table channels add column status_since timestamptz;

-- Owner: domains/channels, domains/webhooks, domains/messages, domains/events. For the list of what needs attention, and for the
-- number of endpoints of a channel.
create index channels_not_active on channels (organization_id, id) where status <> 'active' and archived_at is null;
create index webhook_endpoints_paused_by_organization on webhook_endpoints (organization_id, id) where status = 'paused';
create index webhook_endpoints_of_all_channels on webhook_endpoints (organization_id, id) where all_channels;
create index unsettled_sends_unknown on unsettled_sends (organization_id, message_id) where sending_until is null;
create index events_of_templates on events (organization_id, id) where kind = 'template.status';

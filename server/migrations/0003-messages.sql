-- Owner: domains/events. What is sent is what is kept: the bytes of the
-- envelope, or of the upstream's change, are made once.
alter table events add column body bytea;
update events
set body = convert_to(
  json_build_object('id', id, 'event', kind, 'channel_id', channel_id,
    'occurred_at', to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text,
  'UTF8');
alter table events alter column body set not null;
alter table events drop column data;

-- Owner: domains/messages. The log. Partitioned by id, which is time. Texts of
-- strangers are kept as json and not as jsonb: that holds NUL, half surrogates
-- and numbers of any length as they came.
create table messages (
  organization_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  type text not null,
  status text not null
    check (status in ('received', 'sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read')),
  sender text,
  recipient text,
  contact json,
  upstream_message_id text,
  content json,
  context json,
  error json,
  pricing json,
  statuses_seen smallint not null default 0,
  created_at timestamptz not null default hub_now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  primary key (organization_id, channel_id, id)
) partition by range (id);
create table messages_default partition of messages default;
create index messages_by_status on messages (organization_id, channel_id, status, id);
create index messages_outbound on messages (organization_id, channel_id, id) where direction = 'outbound';

-- Owner: domains/messages. Directory: the upstream's name of a message, unique
-- over all the log's partitions.
create table message_wamids (
  organization_id uuid not null,
  channel_id uuid not null,
  wamid text not null,
  message_id uuid not null,
  primary key (organization_id, channel_id, wamid)
);
create index message_wamids_by_age on message_wamids (message_id);

-- Owner: domains/messages. Directory: the caller's name of a send.
create table message_keys (
  organization_id uuid not null,
  channel_id uuid not null,
  key text not null,
  body_hash bytea not null,
  message_id uuid not null,
  primary key (organization_id, channel_id, key)
);
create index message_keys_by_age on message_keys (message_id);

-- Owner: domains/messages. Sends whose outcome is not known: under way until
-- `sending_until`, or, where that is null, until a status tells.
create table unsettled_sends (
  organization_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  opaque text,                           -- the caller's own biz_opaque_callback_data, where it replaced ours
  sending_until timestamptz,
  primary key (organization_id, channel_id, message_id)
);
create index unsettled_sends_under_way on unsettled_sends (sending_until) where sending_until is not null;
create index unsettled_sends_by_opaque on unsettled_sends (organization_id, channel_id, opaque) where opaque is not null;
create index unsettled_sends_by_age on unsettled_sends (message_id);

-- Owner: domains/inbound. Callbacks as they came, of all tenants at once.
create table callbacks (
  id uuid not null,
  body bytea not null,
  problem text,
  received_at timestamptz not null default hub_now(),
  primary key (id)
) partition by range (id);
create table callbacks_default partition of callbacks default;

-- Owner: domains/inbound. Which changes a channel had already: the upstream repeats itself for a week.
create table seen_changes (
  organization_id uuid not null,
  channel_id uuid not null,
  fingerprint uuid not null,
  seen_at timestamptz not null default hub_now(),
  primary key (organization_id, channel_id, fingerprint)
);
create index seen_changes_by_age on seen_changes (seen_at);

-- Owner: domains/channels. When the upstream said what moved the status last: an older word does not count. And until
-- when its word on the account stands against what the number says of itself.
alter table channels
  add column account_word_at timestamptz,
  add column account_held_until timestamptz;

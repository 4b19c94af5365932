-- Owner: domains/webhooks. A change of `payload_mode` starts a new generation and cancels the open deliveries up to
-- `mode_canceled_generation` whose kind depends on the mode: the mode of their generation included them, so the other
-- one excludes them.
alter table webhook_endpoints add column mode_canceled_generation integer not null default 0;

-- Endpoints in both modes get channel events and tests.
create function depends_on_mode(kind text) returns boolean
  language sql immutable parallel safe
  return kind <> 'webhook.test' and kind not like 'channel.%';

create function mode_includes(payload_mode text, kind text) returns boolean
  language sql immutable parallel safe
  return not depends_on_mode(kind) or (kind = 'upstream.raw') = (payload_mode = 'upstream_raw');

-- Whether a queued delivery is canceled, by its generation and kind and the two generations of its endpoint.
create function is_canceled(generation integer, kind text, canceled integer, mode_canceled integer) returns boolean
  language sql immutable parallel safe
  return generation <= canceled or (generation <= mode_canceled and depends_on_mode(kind));

-- Owner: domains/inbound. How many callbacks that name an account had a wrong signature, and when the last one came.
create table refused_callbacks (
  waba_id text primary key,
  refused bigint not null,
  refused_at timestamptz not null
);

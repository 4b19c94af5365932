-- Owner: domains/costs. Messages whose price the upstream has named, by the UTC day of that status: only ever inserted, so
-- that no transaction waits for a counter. A job moves the rows into the table below within seconds.
create table cost_deltas (
  organization_id uuid not null,
  seq bigint generated always as identity,
  channel_id uuid not null,
  day date not null,
  category text not null,
  type text not null,
  country text not null,
  volume integer not null,
  primary key (organization_id, seq)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);

-- Owner: domains/costs. The volumes of a day: of a channel, and, with a channel of zeros, of all channels of an organization
-- together.
create table cost_totals (
  organization_id uuid not null,
  channel_id uuid not null,
  day date not null,
  category text not null,
  type text not null,
  country text not null,
  volume bigint not null,
  primary key (organization_id, channel_id, day, category, type, country)
) with (fillfactor = 80);
create index cost_totals_by_age on cost_totals (day);

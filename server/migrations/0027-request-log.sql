-- Owner: domains/request-log. How many requests of an organization were logged so far. A process that logs more locks the
-- row, so that the numbers of an organization have no gap, and what is beyond its newest is found without counting.
create table request_log_positions (
  organization_id uuid primary key,
  written bigint not null
) with (fillfactor = 50);

-- Owner: domains/request-log. The newest requests of each organization that API keys and channel tokens made. Each
-- insert deletes as many of the oldest, and a job those past their retention.
create table logged_requests (
  organization_id uuid not null,
  number bigint not null,
  answered_at timestamptz not null,
  request_id uuid not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  credential_type text not null,
  credential_id uuid not null,
  error_code text,
  ip text,
  primary key (organization_id, number)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
create index logged_requests_by_age on logged_requests (answered_at);
create index logged_requests_failed on logged_requests (organization_id, number) where status >= 400;

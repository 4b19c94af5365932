-- Owner: domains/webhooks/publishing. An event that matched more endpoints than its own statement makes deliveries for: the
-- endpoints, and the generation of each. Workers make the deliveries in that order, a step at a time; the first `made` are
-- done, and the row goes with the last.
create table deferred_fan_outs (
  organization_id uuid not null,
  event_id uuid not null,
  event_kind text not null,
  endpoint_ids uuid[] not null,
  generations integer[] not null,
  made integer not null default 0,
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- Random ids do not compress: trying would only cost time.
alter table deferred_fan_outs alter column endpoint_ids set storage external;

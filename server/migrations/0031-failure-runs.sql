-- Owner: domains/webhooks. A run is a series of failures without a success. `next_attempt_at` is null until the fifth
-- failure; from then on only one attempt at a time has the turn, and none takes it before that time. The turn belongs to
-- the claim `turn_claim` of the delivery `turn_delivery_id`, and is free as soon as the queue has no such claim.
alter table webhook_endpoint_health
  add column run_started_at timestamptz not null default hub_now(),
  add column next_attempt_at timestamptz,
  add column turn_delivery_id uuid,
  add column turn_claim uuid,
  add column turn_started_at timestamptz;

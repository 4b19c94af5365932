-- Owner: domains/webhooks. The secret that a rotation replaced, sealed, while deliveries are signed with it too. It is
-- erased at `previous_secret_until`.
alter table webhook_endpoints
  add column previous_secret text,
  add column previous_secret_until timestamptz;

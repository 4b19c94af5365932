-- beside traffic
-- Owner: domains/webhooks. For the job that erases previous secrets. A transaction that builds it after it has added columns
-- would keep every event waiting, because each reads the endpoints.
-- index
create index concurrently webhook_endpoints_previous_secrets on webhook_endpoints (previous_secret_until)
  where previous_secret_until is not null;

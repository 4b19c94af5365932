-- beside traffic
-- Owner: domains/webhooks. One inspector for each organization, and the job that deletes them when their time is over.
-- index
create unique index concurrently webhook_endpoints_inspectors on webhook_endpoints (organization_id)
  where inspector_answer is not null;

-- Owner: domains/webhooks. What an inspector answers: an endpoint inside the hub, which has no address. Null for all others.
alter table webhook_endpoints
  add column inspector_answer text;
alter table webhook_endpoints
  add constraint webhook_endpoints_inspector_answer_check
    check (inspector_answer in ('200', '500', '410', 'hang')) not valid,
  add constraint webhook_endpoints_inspector_url_check
    check ((inspector_answer is null) = (url <> '')) not valid;

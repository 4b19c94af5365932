-- Owner: domains/webhooks. Whether the files in messages have the address of the upstream or of the hub. The constraint is not
-- validated: every row that exists has the default, and reading them would keep events waiting.
alter table webhook_endpoints
  add column media_urls text not null default 'upstream',
  add constraint webhook_endpoints_media_urls_check check (media_urls in ('upstream', 'hub')) not valid;

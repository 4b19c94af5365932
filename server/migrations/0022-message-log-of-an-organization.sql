-- Owner: domains/messages. The log over all channels of an organization; and of it what failed or may have failed, which
-- is little.
create index messages_by_organization on messages (organization_id, id);
create index messages_with_problems on messages (organization_id, id)
  where error is not null or status in ('failed', 'unknown');

-- Owner: domains/messages. The export of an organization's log that is running, because it has one at a time. A killed
-- process leaves a row that expires.
create table message_exports (
  organization_id uuid primary key references organizations (id),
  id uuid not null,
  expires_at timestamptz not null
);

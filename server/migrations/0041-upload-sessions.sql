-- Owner: domains/facade. An upload that a client of /graph has announced and not sent yet. It belongs to the channel token
-- that opened it.
create table upload_sessions (
  organization_id uuid not null,
  channel_id uuid not null,
  id text not null,
  credential_id uuid not null,
  file_name text not null,
  file_bytes bigint not null,
  expires_at timestamptz not null,
  primary key (organization_id, channel_id, id)
);

create index upload_sessions_by_expiry on upload_sessions (expires_at);

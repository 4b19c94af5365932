-- Owner: domains/live-updates. The open streams of dashboards, so that a session has few of them in all processes
-- together, and a process that starts knows which organizations are watched. A killed process leaves rows that expire.
create table live_update_streams (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  session_id uuid not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create index live_update_streams_by_session on live_update_streams (session_id);
create index live_update_streams_expiry on live_update_streams (expires_at);

-- The hub's clock. Every time that is stored or compared comes from here, so
-- that processes with differing clocks agree. It is inlined to now(); a test
-- replaces it to move time.
create function hub_now() returns timestamptz
  language sql stable
  as $$ select now() $$;

-- Owner: domains/organizations.
create table organizations (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default hub_now()
);

-- Owner: domains/auth/users. A person may belong to many organizations, so a
-- user is not a tenant's row.
create table users (
  id uuid primary key,
  email text not null constraint users_email_unique unique,
  name text not null,
  password_hash text not null,
  totp_secret text,                      -- sealed
  totp_enabled_at timestamptz,
  totp_last_step bigint not null default 0,
  created_at timestamptz not null default hub_now()
);

-- Owner: domains/auth/users. Each code replaces one lost second factor, once.
create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Owner: domains/organizations.
create table memberships (
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, user_id)
);
create index memberships_by_user on memberships (user_id, organization_id);

-- Owner: domains/auth/sessions. Keyed by person: a session can act for any of
-- the person's organizations, and organization_id is the one it acts for now.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  organization_id uuid references organizations (id),
  token_hash bytea not null unique,
  ip text,
  user_agent text,
  created_at timestamptz not null default hub_now(),
  last_seen_at timestamptz not null default hub_now(),
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id, id);
create index sessions_by_expiry on sessions (expires_at);

-- Owner: domains/organizations.
create table invitations (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  invited_by text not null,
  inviter_id uuid,                       -- none for an operator's
  created_at timestamptz not null default hub_now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);

-- Owner: domains/organizations. Directory: from the hash in a link to its tenant.
create table invitation_links (
  token_hash bytea primary key,
  organization_id uuid not null,
  invitation_id uuid not null,
  foreign key (organization_id, invitation_id) references invitations (organization_id, id) on delete cascade
);

-- Owner: domains/auth. API keys and channel tokens: everything that comes as a bearer.
create table credentials (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('api_key', 'channel_token')),
  name text not null,
  last4 text not null,
  scopes text[] not null,
  channel_id uuid check ((channel_id is not null) = (kind = 'channel_token')),
  created_at timestamptz not null default hub_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (organization_id, id)
) with (fillfactor = 80);
create index credentials_by_kind on credentials (organization_id, kind, id);
create index credentials_by_channel on credentials (organization_id, channel_id) where channel_id is not null;

-- Owner: domains/auth. Directory: from a token's SHA-256 to its tenant.
create table credential_hashes (
  token_hash bytea primary key,
  organization_id uuid not null,
  credential_id uuid not null,
  foreign key (organization_id, credential_id) references credentials (organization_id, id) on delete cascade
);

-- Owner: domains/audit.
create table audit_entries (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  action text not null,
  actor_type text not null check (actor_type in ('user', 'api_key', 'channel_token', 'operator', 'system')),
  actor_id text,
  actor_name text,
  target_type text not null,
  target_id text not null,
  ip text,
  request_id uuid,
  details jsonb not null default '{}',
  created_at timestamptz not null default hub_now(),
  primary key (organization_id, id)
);
create index audit_entries_by_action on audit_entries (organization_id, action, id);
create index audit_entries_by_actor on audit_entries (organization_id, actor_id, id);
create index audit_entries_by_target on audit_entries (organization_id, target_id, id);

-- Owner: kernel/rate-limit. Not logged: a crash of the database opens new
-- windows, and nothing else is lost.
create unlogged table rate_limits (
  bucket text not null,
  subject text not null,
  used integer not null,
  window_ends_at timestamptz not null,
  primary key (bucket, subject)
) with (fillfactor = 70);
create index rate_limits_by_end on rate_limits (window_ends_at);

-- Owner: kernel/sealing. One known value per key that has sealed something, so
-- that a ring which lacks a key, or holds another key under its name, is noticed.
create table sealing_keys (
  id text primary key,
  canary text not null
);

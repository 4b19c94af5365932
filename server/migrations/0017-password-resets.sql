-- Owner: domains/auth/password-resets. Links by mail with which a person who forgot the password sets a new one. Keyed by
-- person: a user is not a tenant's row. A newer link or another change of the password revokes the older ones.
create table password_resets (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default hub_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
create index password_resets_by_user on password_resets (user_id, id);
create index password_resets_by_expiry on password_resets (expires_at);

-- Owner: domains/organizations. For the job that deletes invitations long after their end.
create index invitations_by_expiry on invitations (expires_at);
create index invitation_links_by_invitation on invitation_links (organization_id, invitation_id);

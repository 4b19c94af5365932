-- Owner: domains/auth/users. When the person proved that they receive mail at the address. A reset by mail removes a second
-- factor unless the address was verified when it was set: otherwise an attacker could lock an address out of its own account.
-- Accounts with a second factor count as verified, so that a mailbox does not replace a factor that exists already.
alter table users
  add column email_verified_at timestamptz,
  add column totp_set_verified boolean not null default false;
update users
set email_verified_at = hub_now(), totp_set_verified = true
where totp_enabled_at is not null;

-- Owner: domains/auth/email-verifications. The open link and code of a person; a newer one replaces it.
create table email_verifications (
  user_id uuid primary key references users (id) on delete cascade,
  token_hash bytea not null unique,
  code_hash bytea not null,
  expires_at timestamptz not null
);
create index email_verifications_by_expiry on email_verifications (expires_at);

-- Owner: domains/organizations. Sign-ups that wait for the link in their mail. An address can have several, each of the
-- person who knows its password; the first that is finished deletes the others.
create table pending_sign_ups (
  id uuid primary key,
  email text not null,
  name text not null,
  organization_name text not null,
  password_hash text not null,
  language text not null,
  time_zone text not null,
  setup_code_hash bytea,                 -- only of the first account where sign-up is closed
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
create index pending_sign_ups_by_email on pending_sign_ups (email, id);
create index pending_sign_ups_by_expiry on pending_sign_ups (expires_at);

-- Owner: domains/organizations. The link in the mail of an invitation is not the one that its maker sees: who joins with it
-- receives mail at the address.
alter table invitation_links add column is_mailed boolean not null default false;

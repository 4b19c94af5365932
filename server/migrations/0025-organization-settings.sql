-- Owner: domains/organizations. `language` is that of mails and pages for people whose own is not known. `time_zone` is
-- an IANA name: the days of charts begin at midnight there. At `deletes_at` the organization is shut off, and from
-- `shut_off_at` on its rows are deleted; `deletion_leased_until` is the lease of the process that does it.
alter table organizations
  add column language text not null default 'en' check (language in ('en', 'pt-BR')),
  add column time_zone text not null default 'UTC',
  add column two_factor_required boolean not null default false,
  add column deletes_at timestamptz,
  add column shut_off_at timestamptz,
  add column deletion_leased_until timestamptz;
create index organizations_to_delete on organizations (deletes_at) where deletes_at is not null;

-- Owner: domains/auth, domains/billing. For the deletion of an organization: without them each check of a foreign key
-- reads the whole table.
create index sessions_by_organization on sessions (organization_id);
create index billing_link_hashes_by_link on billing_link_hashes (organization_id, link_id);

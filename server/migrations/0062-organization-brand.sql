-- Owner: domains/organizations. How the connect page of the organization looks. The logo's columns are set together.
alter table organizations
  add column color text,
  add column logo bytea,
  add column logo_type text,
  add column logo_set_at timestamptz;
alter table organizations
  add constraint organizations_logo_type_check check (logo_type in ('image/png', 'image/jpeg', 'image/webp')) not valid;

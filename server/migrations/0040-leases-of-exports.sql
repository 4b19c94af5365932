-- Owner: domains/messages. The exports that are running: the owners of an organization have one at a time, and its other
-- members another. A killed process leaves a row that expires.
create table export_leases (
  organization_id uuid not null references organizations (id),
  is_of_owner boolean not null,
  id uuid not null,
  expires_at timestamptz not null,
  primary key (organization_id, is_of_owner)
);

-- Only processes of the version before use this table. Their statements need its key to be the organization alone.
delete from message_exports;
alter table message_exports drop column is_of_owner;
alter table message_exports add primary key (organization_id);

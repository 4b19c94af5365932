-- Owner: domains/messages. The exports that are running: the owners of an organization have one at a time, and its other
-- members another. A killed process leaves a row that expires. Processes of the version before use message_exports, whose
-- key is the organization alone.
create table export_leases (
  organization_id uuid not null references organizations (id),
  is_of_owner boolean not null,
  id uuid not null,
  expires_at timestamptz not null,
  primary key (organization_id, is_of_owner)
);

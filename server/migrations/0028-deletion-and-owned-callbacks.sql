-- Owner: domains/organizations. From `deletion_began_at` on something of the organization may be shut off, and it cannot be
-- kept any more. A deletion that a process has claimed before this migration may have begun.
alter table organizations add column deletion_began_at timestamptz;
update organizations
set deletion_began_at = coalesce(shut_off_at, hub_now())
where shut_off_at is not null or deletion_leased_until is not null;

-- Owner: domains/inbound. The organization whose channels all changes of a callback concern. Null if there are several, if
-- a change concerns no channel, and for callbacks of before.
alter table callbacks add column organization_id uuid;
create index callbacks_by_organization on callbacks (organization_id, id);

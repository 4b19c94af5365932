-- Owner: domains/inbound. The organization whose channels all changes of a callback concern. Null if there are several, if
-- a change concerns no channel, and for callbacks of before.
alter table callbacks add column organization_id uuid;
create index callbacks_by_organization on callbacks (organization_id, id);

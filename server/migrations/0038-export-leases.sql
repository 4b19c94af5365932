-- Owner: domains/messages. The exports of owners and those of other members have a lease each, so that no member can keep an
-- owner from the data of the organization.
alter table message_exports add column is_of_owner boolean not null default false;
alter table message_exports drop constraint message_exports_pkey;
alter table message_exports add primary key (organization_id, is_of_owner);

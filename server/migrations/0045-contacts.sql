-- Owner: domains/messages. The people of a channel, as its messages know them. The id is a hash of channel and person, so that
-- a message can name its contact without reading this table. `reversed_number` has the digits of the number from the last
-- to the first, in one spelling, for a search by its end; `search_name` has the name without accents and capitals.
create table contacts (
  organization_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  wa_id text,
  user_id text,
  parent_user_id text,
  username text collate "C",
  name text,
  search_name text collate "C",
  reversed_number text collate "C",
  changed_at timestamptz not null default hub_now(),
  primary key (organization_id, id)
);
create index contacts_by_number on contacts (organization_id, reversed_number) where reversed_number is not null;
create index contacts_by_wa_id on contacts (organization_id, wa_id) where wa_id is not null;
create index contacts_by_user_id on contacts (organization_id, user_id) where user_id is not null;
create index contacts_by_name on contacts (organization_id, search_name) where search_name is not null;
create index contacts_by_username on contacts (organization_id, username) where username is not null;

-- Owner: domains/messages. The person whom a message is from or to; null for groups, and once the person was erased.
alter table messages add column contact_id uuid;

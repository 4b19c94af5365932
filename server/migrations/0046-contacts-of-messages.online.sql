-- beside traffic
-- Owner: domains/messages. The log of a person.
-- index
create index concurrently messages_by_contact on messages (organization_id, contact_id, id);
-- The people of the messages of before, 500 messages at a time, as identifyContact does it. The place is an organization and the
-- id of a message. PostgreSQL cannot read JSON that has a NUL or half of a surrogate pair.
-- backfill
with batch as materialized (
  select organization_id, id, channel_id, direction, contact_id, case direction when 'inbound' then sender else recipient end as address,
    case when contact::text !~ '\\u(0000|[dD][89a-fA-F])' then contact end as contact, statuses_seen
  from messages
  where (organization_id, id) > (
    split_part(coalesce($1, '00000000-0000-0000-0000-000000000000 00000000-0000-0000-0000-000000000000'), ' ', 1)::uuid,
    split_part(coalesce($1, '00000000-0000-0000-0000-000000000000 00000000-0000-0000-0000-000000000000'), ' ', 2)::uuid)
  order by organization_id, id
  limit 500
), parties as (
  select organization_id, id, channel_id,
    left(coalesce(nullif(contact ->> 'user_id', ''), case when address ~ '^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$' then address end), 256) as user_id,
    case when contact ->> 'wa_id' ~ '^\+?[0-9][0-9 ().-]*$' then regexp_replace(contact ->> 'wa_id', '\D', '', 'g') end as wa_id,
    case when address ~ '^\+?[0-9][0-9 ().-]*$' then regexp_replace(address, '\D', '', 'g') end as digits,
    left(nullif(contact ->> 'parent_user_id', ''), 200) as parent_user_id,
    left(nullif(contact ->> 'username', ''), 200) as username,
    left(nullif(contact ->> 'name', ''), 200) as name
  from batch
  where contact_id is null
), numbered as (
  select organization_id, id, channel_id, user_id, parent_user_id, username, name,
    case when length(wa_id) between 5 and 20 then wa_id end as wa_id,
    regexp_replace(regexp_replace(
      case when length(wa_id) between 5 and 20 then wa_id when length(digits) between 5 and 20 then digits end,
      '^55(\d{2})([6-9]\d{7})$', '55\19\2'), '^521(\d{10})$', '52\1') as number
  from parties
), identified as materialized (
  select *, encode(substr(sha256(convert_to(
      organization_id || ' ' || channel_id || ' ' || coalesce(user_id, number), 'UTF8')), 1, 16), 'hex')::uuid as contact_id
  from numbered
  where coalesce(user_id, number) is not null
), met as (
  insert into contacts
    (organization_id, channel_id, id, wa_id, user_id, parent_user_id, username, name, search_name, reversed_number)
  select distinct on (organization_id, contact_id) organization_id, channel_id, contact_id, wa_id, user_id, parent_user_id, username, name,
    trim(lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'))), reverse(number)
  from identified
  order by organization_id, contact_id, name is null, id desc
  on conflict (organization_id, id) do nothing
), changed as (
  update messages m
  set contact_id = i.contact_id
  from identified i
  where m.organization_id = i.organization_id
    and m.channel_id = i.channel_id
    and m.id = i.id
    and m.contact_id is null
)
select (array_agg(organization_id || ' ' || id order by organization_id desc, id desc))[1] as next
from batch;

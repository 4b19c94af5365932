-- Owner: domains/messages. Names a message in a channel by the upstream's id.
create type message_wamid_1 as (organization_id uuid, channel_id uuid, wamid text);
create type known_message_1 as (organization_id uuid, channel_id uuid, wamid text, message_id uuid);

-- Owner: domains/messages. Finds the messages of statuses, and locks them in the order of their ids if it finds all: else the
-- caller adds the others first, and locks them together. A message that retention has dropped has no `id`.
create function lock_reported_messages_1(reported message_wamid_1[])
returns table (
  message_id uuid,
  wamid text,
  organization_id uuid,
  channel_id uuid,
  are_locked boolean,
  id uuid,
  direction text,
  type text,
  status text,
  sender text,
  recipient text,
  contact json,
  contact_id uuid,
  upstream_message_id text,
  content text,
  context json,
  error json,
  pricing json,
  statuses_seen smallint,
  created_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz
)
language plpgsql
as $$
#variable_conflict use_column
declare
  known known_message_1[];
  are_all_known boolean;
  first_id uuid;
  last_id uuid;
begin
  -- Owner: domains/messages
  known := array(
    select row(w.organization_id, w.channel_id, w.wamid, w.message_id)::known_message_1
    from unnest(reported) r
    cross join lateral (
      select *
      from message_wamids
      where organization_id = r.organization_id
        and channel_id = r.channel_id
        and wamid = r.wamid
      limit 1
    ) w
    order by w.message_id);
  are_all_known := cardinality(known) = cardinality(reported);
  first_id := known[1].message_id;
  last_id := known[cardinality(known)].message_id;

  if are_all_known then
    -- Owner: domains/messages
    return query
    select k.message_id, k.wamid, k.organization_id, k.channel_id, true, m.id, m.direction, m.type, m.status, m.sender,
      m.recipient, m.contact, m.contact_id, m.upstream_message_id, m.content::text, m.context, m.error, m.pricing,
      m.statuses_seen, m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at
    from unnest(known) k
    left join lateral (
      select *
      from messages l
      where l.organization_id = k.organization_id
        and l.channel_id = k.channel_id
        and l.id = k.message_id
        and l.id between first_id and last_id
      limit 1
      for update
    ) m on true;
  else
    return query
    select k.message_id, k.wamid, k.organization_id, k.channel_id, false, null::uuid, null::text, null::text, null::text,
      null::text, null::text, null::json, null::uuid, null::text, null::text, null::json, null::json, null::json,
      null::smallint, null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz
    from unnest(known) k;
  end if;
end
$$;

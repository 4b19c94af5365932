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

-- Owner: domains/webhooks. Inserts events and their deliveries, and returns the deliveries. It locks no endpoint: a delivery
-- carries the endpoint's generation, by which a later claim detects a change of status or mode that committed at the same
-- time. Deliveries for the `claimed` endpoints are claimed already, but not those whose attempts are spaced.
-- It does what it did before, and has another plan: one from when there were few endpoints read those of all organizations.
drop function publish_events_1(new_event_1[], bytea, uuid, integer, claimed_endpoint_1[], integer, text[]);
create function publish_events_1(
  published new_event_1[],
  bodies bytea,
  claim_token uuid,
  lease_seconds integer,
  claimed claimed_endpoint_1[],
  at_once_max integer,
  deferred_kinds text[]
) returns json
language plpgsql
as $$
#variable_conflict use_column
declare
  matches matched_endpoint_1[];
  added json[];
  made json[] := '{}';
begin
  -- Owner: domains/events
  insert into events (organization_id, id, kind, channel_id, occurred_at, body, compat_body)
  select v.organization_id, v.id, v.kind, v.channel_id, v.occurred_at,
    substring(bodies from v.body_at for v.body_length), substring(bodies from v.compat_at for v.compat_length)
  from unnest(published) v;

  -- Owner: domains/webhooks
  matches := array(
    select row(e.organization_id, e.id, v.id, v.kind, e.generation, exists (
        select 1
        from unnest(claimed) c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.version = e.version
          and not exists (
            select 1
            from webhook_endpoint_health h
            where h.organization_id = e.organization_id
              and h.endpoint_id = e.id
              and h.next_attempt_at is not null)
      ), v.kind = any(deferred_kinds) or count(*) over (partition by v.id) > at_once_max)::matched_endpoint_1
    from unnest(published) v
    cross join lateral (
      select *
      from webhook_endpoints
      where organization_id = v.organization_id
        and status = 'active'
      offset 0
    ) e
    where (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
      and mode_includes(e.payload_mode, v.kind)
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels l
        where l.organization_id = e.organization_id
          and l.endpoint_id = e.id
          and l.channel_id = v.channel_id)));

  if cardinality(matches) > 0 then
    with queued as (
      insert into delivery_queue
        (organization_id, endpoint_id, id, event_id, event_kind, generation, claim, leased_until, attempts)
      select m.organization_id, m.endpoint_id, hub_id(), m.event_id, m.event_kind, m.generation,
        case when m.is_claimed then claim_token end,
        case when m.is_claimed then hub_now() + make_interval(secs => lease_seconds) end,
        case when m.is_claimed then 1 else 0 end
      from unnest(matches) m
      where not m.is_deferred
      returning organization_id, endpoint_id, null::uuid as listener_id, event_id, id as delivery_id,
        claim is not null as is_claimed
    )
    select array_agg(to_json(q)) into added from queued q;
    made := coalesce(added, '{}');

    if exists (select 1 from unnest(matches) m where m.is_deferred) then
      with deferred as (
        insert into deferred_fan_outs (organization_id, event_id, event_kind, endpoint_ids, generations)
        select m.organization_id, m.event_id, m.event_kind, array_agg(m.endpoint_id), array_agg(m.generation)
        from unnest(matches) m
        where m.is_deferred
        group by m.organization_id, m.event_id, m.event_kind
        returning organization_id, null::uuid as endpoint_id, null::uuid as listener_id, event_id,
          null::uuid as delivery_id, false as is_claimed
      )
      select array_agg(to_json(d)) into added from deferred d;
      made := made || added;
    end if;
  end if;

  if exists (
    select 1
    from unnest(published) v
    join listeners l on l.organization_id = v.organization_id
    where l.end_reason is null
  ) then
    with listened as (
      insert into listener_deliveries (organization_id, listener_id, id, event_id, event_kind)
      select l.organization_id, l.id, hub_id(), v.id, v.kind
      from unnest(published) v
      join listeners l on l.organization_id = v.organization_id
      where l.end_reason is null
        and (cardinality(l.event_types) = 0 or v.kind = any(l.event_types))
        and mode_includes(l.payload_mode, v.kind)
        and (l.channel_ids is null or v.channel_id = any(l.channel_ids))
      returning organization_id, null::uuid as endpoint_id, listener_id, event_id, id as delivery_id, false as is_claimed
    )
    select array_agg(to_json(l)) into added from listened l;
    made := made || coalesce(added, '{}');
  end if;

  return array_to_json(made);
end
$$;

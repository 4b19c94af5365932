-- Owner: domains/webhooks. What an event is published with. A type or a function that has a number in its name never changes:
-- a change is another one with the next number, and the old one is dropped a release later, so that processes of two versions
-- can run beside each other. Bytes are one parameter, of which each row has a part from `…_at` on: in an array their digits would be
-- read twice, one by one.
create type new_event_1 as (
  organization_id uuid,
  id uuid,
  kind text,
  channel_id uuid,
  occurred_at timestamptz,
  body_at integer,
  body_length integer,
  compat_at integer,
  compat_length integer
);
create type claimed_endpoint_1 as (organization_id uuid, endpoint_id uuid, version integer);
create type matched_endpoint_1 as (
  organization_id uuid,
  endpoint_id uuid,
  event_id uuid,
  event_kind text,
  generation integer,
  is_claimed boolean,
  is_deferred boolean
);

-- Owner: domains/webhooks. Inserts events and their deliveries, and returns the deliveries. It locks no endpoint: a delivery
-- carries the endpoint's generation, by which a later claim detects a change of status or mode that committed at the same
-- time. Deliveries for the `claimed` endpoints are claimed already, but not those whose attempts are spaced.
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
    join webhook_endpoints e on e.organization_id = v.organization_id
    where e.status = 'active'
      and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
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

-- Owner: domains/inbound. What is taken of callbacks. `callback` is the number of the callback that a row is of.
create type received_callback_1 as (
  callback integer,
  id uuid,
  organization_id uuid,
  bytes_at integer,
  bytes_length integer
);
create type received_channel_1 as (
  phone_number_id text,
  waba_id text,
  display_digits text,
  organization_id uuid,
  channel_id uuid
);
create type received_change_1 as (callback integer, organization_id uuid, channel_id uuid, fingerprint uuid);
create type received_message_1 as (
  callback integer,
  organization_id uuid,
  channel_id uuid,
  id uuid,
  direction text,
  type text,
  status text,
  sender text,
  recipient text,
  contact json,
  contact_id uuid,
  upstream_message_id text,
  content json,
  context json,
  error json,
  statuses_seen smallint,
  created_at timestamptz,
  sent_at timestamptz
);
-- The details that several callbacks have of one contact have different turns, in their order.
create type received_contact_1 as (
  callback integer,
  turn integer,
  organization_id uuid,
  channel_id uuid,
  id uuid,
  wa_id text,
  user_id text,
  parent_user_id text,
  username text,
  name text,
  search_name text,
  reversed_number text
);
create type received_media_1 as (
  callback integer,
  organization_id uuid,
  channel_id uuid,
  media_id text,
  mime_type text,
  sha256 text
);

-- Owner: domains/inbound. Takes callbacks whose changes have only messages that were written, and are new: one statement and
-- one commit. It takes a callback wholly or not at all, and returns the numbers of those that it left out: because a change
-- was received before, a message is known, or a channel is not what the process remembers. The order of the rows prevents
-- deadlocks, and a concurrent transaction with the same row waits for this one.
create function take_callbacks_1(
  new_callbacks received_callback_1[],
  bytes bytea,
  known_channels received_channel_1[],
  new_changes received_change_1[],
  new_messages received_message_1[],
  new_contacts received_contact_1[],
  new_media received_media_1[],
  callbacks_of_events integer[],
  published new_event_1[],
  bodies bytea,
  claim_token uuid,
  lease_seconds integer,
  claimed claimed_endpoint_1[],
  at_once_max integer,
  deferred_kinds text[],
  out left_out integer[],
  out queued json
)
language plpgsql
as $$
#variable_conflict use_column
declare
  found_channels bigint;
  new_fingerprints uuid[];
  new_message_ids uuid[];
  last_turn integer;
begin
  left_out := '{}';
  queued := '[]';

  -- Owner: domains/inbound
  select count(*) into found_channels
  from unnest(known_channels) r
  join channel_numbers n on n.phone_number_id = r.phone_number_id
  where n.waba_id = r.waba_id
    and n.display_digits = r.display_digits
    and n.organization_id = r.organization_id
    and n.channel_id = r.channel_id;
  if found_channels < cardinality(known_channels) then
    left_out := array(select r.callback from unnest(new_callbacks) r);
    return;
  end if;

  -- Owner: domains/inbound
  with added as (
    insert into seen_changes (organization_id, channel_id, fingerprint)
    select r.organization_id, r.channel_id, r.fingerprint
    from unnest(new_changes) r
    order by 1, 2, 3
    on conflict (organization_id, channel_id, fingerprint) do nothing
    returning fingerprint
  )
  select array_agg(fingerprint) into new_fingerprints from added;

  -- Owner: domains/messages
  with added as (
    insert into message_wamids (organization_id, channel_id, wamid, message_id)
    select r.organization_id, r.channel_id, r.upstream_message_id, r.id
    from unnest(new_messages) r
    order by 1, 2, 3
    on conflict (organization_id, channel_id, wamid) do nothing
    returning message_id
  )
  select array_agg(message_id) into new_message_ids from added;

  if coalesce(cardinality(new_fingerprints), 0) < cardinality(new_changes)
    or coalesce(cardinality(new_message_ids), 0) < cardinality(new_messages) then
    left_out := array(
      select r.callback from unnest(new_changes) r where r.fingerprint not in (select unnest(new_fingerprints))
      union
      select r.callback from unnest(new_messages) r where r.id not in (select unnest(new_message_ids)));

    -- Owner: domains/inbound
    delete from seen_changes s
    using unnest(new_changes) r
    where r.callback = any(left_out)
      and r.fingerprint in (select unnest(new_fingerprints))
      and s.organization_id = r.organization_id
      and s.channel_id = r.channel_id
      and s.fingerprint = r.fingerprint;

    -- Owner: domains/messages
    delete from message_wamids w
    using unnest(new_messages) r
    where r.callback = any(left_out)
      and r.id in (select unnest(new_message_ids))
      and w.organization_id = r.organization_id
      and w.channel_id = r.channel_id
      and w.wamid = r.upstream_message_id;

    new_callbacks := array(select r from unnest(new_callbacks) r where r.callback <> all(left_out));
    if cardinality(new_callbacks) = 0 then
      return;
    end if;
    new_messages := array(select r from unnest(new_messages) r where r.callback <> all(left_out));
    new_contacts := array(select r from unnest(new_contacts) r where r.callback <> all(left_out));
    new_media := array(select r from unnest(new_media) r where r.callback <> all(left_out));
    published := array(
      select published[place]
      from unnest(callbacks_of_events) with ordinality r (callback, place)
      where r.callback <> all(left_out));
  end if;

  -- Owner: domains/inbound
  insert into callbacks (id, organization_id, body)
  select r.id, r.organization_id, substring(bytes from r.bytes_at for r.bytes_length)
  from unnest(new_callbacks) r;

  if cardinality(new_messages) > 0 then
    -- Owner: domains/messages
    insert into messages (organization_id, channel_id, id, direction, type, status, sender, recipient, contact, contact_id,
      upstream_message_id, content, context, error, statuses_seen, created_at, sent_at)
    select r.organization_id, r.channel_id, r.id, r.direction, r.type, r.status, r.sender, r.recipient, r.contact,
      r.contact_id, r.upstream_message_id, r.content, r.context, r.error, r.statuses_seen, r.created_at, r.sent_at
    from unnest(new_messages) r;

    select max(r.turn) into last_turn from unnest(new_contacts) r;
    for current_turn in 0 .. coalesce(last_turn, -1) loop
      insert into contacts as c
        (organization_id, channel_id, id, wa_id, user_id, parent_user_id, username, name, search_name, reversed_number)
      select r.organization_id, r.channel_id, r.id, r.wa_id, r.user_id, r.parent_user_id, r.username, r.name,
        r.search_name, r.reversed_number
      from unnest(new_contacts) r
      left join lateral (
        select wa_id, user_id, parent_user_id, username, name, reversed_number, true as is_known
        from contacts
        where organization_id = r.organization_id
          and id = r.id
        limit 1
      ) k on true
      where r.turn = current_turn
        and (k.is_known is null
          or r.wa_id <> coalesce(k.wa_id, '')
          or r.user_id <> coalesce(k.user_id, '')
          or r.parent_user_id <> coalesce(k.parent_user_id, '')
          or r.username <> coalesce(k.username, '')
          or r.name <> coalesce(k.name, '')
          or (k.reversed_number is null and r.reversed_number is not null))
      order by r.organization_id, r.id
      on conflict (organization_id, id) do update
      set wa_id = coalesce(excluded.wa_id, c.wa_id),
          user_id = coalesce(excluded.user_id, c.user_id),
          parent_user_id = coalesce(excluded.parent_user_id, c.parent_user_id),
          username = coalesce(excluded.username, c.username),
          name = coalesce(excluded.name, c.name),
          search_name = coalesce(excluded.search_name, c.search_name),
          reversed_number = case
            when excluded.wa_id is null then coalesce(c.reversed_number, excluded.reversed_number)
            else excluded.reversed_number end,
          changed_at = hub_now();
    end loop;

    -- Owner: domains/billing
    insert into usage_deltas (organization_id, counter, amount)
    select r.organization_id, 'messages_received', count(*)
    from unnest(new_messages) r
    where r.direction = 'inbound'
    group by r.organization_id;

    -- Owner: domains/statistics
    insert into message_count_deltas
      (organization_id, channel_id, error_code, sent, delivered, read, failed, refused, received)
    select r.organization_id, r.channel_id, '', 0, 0, 0, 0, 0, count(*)
    from unnest(new_messages) r
    where r.direction = 'inbound'
    group by r.organization_id, r.channel_id;
  end if;

  if cardinality(new_media) > 0 then
    -- Owner: domains/media
    insert into channel_media (organization_id, channel_id, media_id, mime_type, sha256)
    select r.organization_id, r.channel_id, r.media_id, r.mime_type, r.sha256
    from unnest(new_media) r
    order by 1, 2, 3
    on conflict (organization_id, channel_id, media_id) do nothing;
  end if;

  queued := publish_events_1(published, bodies, claim_token, lease_seconds, claimed, at_once_max, deferred_kinds);
end
$$;

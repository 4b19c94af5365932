-- Owner: domains/webhooks/endpoints. The times in which an endpoint was paused, and what it did not get in them. An endpoint that
-- is paused now has one row without an end. A row without a count is of a pause whose events were deleted before its end.
create table webhook_pauses (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default hub_id(),
  began_at timestamptz not null default hub_now(),
  ended_at timestamptz,
  cause text not null check (cause in ('failures', 'person')),
  actor jsonb,
  ended_by jsonb,
  events_not_sent int,
  is_capped boolean not null default false,
  primary key (organization_id, endpoint_id, id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade
);

-- A process of the version before may pause an endpoint without a row, which is a pause that is not listed.
insert into webhook_pauses (organization_id, endpoint_id, began_at, cause)
select e.organization_id, e.id, e.paused_at,
  case when h.consecutive_failures >= 20 then 'failures' else 'person' end
from webhook_endpoints e
left join webhook_endpoint_health h on h.organization_id = e.organization_id and h.endpoint_id = e.id
where e.status = 'paused'
  and e.paused_at is not null;

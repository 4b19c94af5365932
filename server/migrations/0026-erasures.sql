-- Owner: domains/privacy. The erasure of one person from the data of an organization. While it runs it has the person,
-- sealed, and how far it has come; of one that is done only counts, times and the requester are left.
create table erasures (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  status text not null default 'running' check (status in ('running', 'done')),
  person text check ((person is null) = (status = 'done')), -- sealed
  stage text,
  place json,
  counts jsonb not null default '{}',
  requested_by_id uuid,
  requested_by_name text,
  requested_at timestamptz not null default hub_now(),
  claim uuid,
  leased_until timestamptz,
  done_at timestamptz,
  primary key (organization_id, id)
);
create index erasures_running on erasures (requested_at) where status = 'running';

-- Owner: domains/events. When a person was erased from a payload that has data of others too. An event that was only
-- about that person is deleted.
alter table events add column erased_at timestamptz;

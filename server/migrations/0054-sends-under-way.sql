-- Owner: domains/messages. What the log will have of a send: the log gets it with the outcome, in one row that is written once.
-- Null once the log has it, and for sends whose log entry was written first.
alter table unsettled_sends
  add column type text,
  add column sender text,
  add column recipient text,
  add column contact json,
  add column contact_id uuid,
  add column content json,
  add column context json,
  add column created_at timestamptz;
alter table unsettled_sends set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
drop index unsettled_sends_under_way;
drop index unsettled_sends_by_age;

-- Owner: domains/messages. One row once every process reads sends under way from unsettled_sends: from then on their log
-- entries are written with the outcome. Processes of the version before do not know them.
create table deferred_log_entries (
  since timestamptz not null default hub_now()
);
insert into deferred_log_entries (since)
select hub_now() where not exists (select from organizations);

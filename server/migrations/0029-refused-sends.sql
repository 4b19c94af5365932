-- Owner: domains/statistics. Of the failures, those of sends that the upstream did not accept: these were never sent. Processes of the
-- version before do not count them.
alter table message_count_deltas add column refused integer not null default 0;
alter table message_counts add column refused bigint not null default 0;

-- beside traffic
-- Owner: domains/messages. Sends under way, for the log and for the jobs that end them; and unknown ones, for the job that deletes
-- them.
-- index
create index concurrently unsettled_sends_under_way on unsettled_sends (organization_id, message_id)
  where sending_until is not null;
-- index
create index concurrently unsettled_sends_by_age on unsettled_sends (message_id) where sending_until is null;

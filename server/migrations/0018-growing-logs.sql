-- Owner: domains/events. Replaced below. It goes first, and the indexes of small tables come next: every lock is taken
-- before anything large is built.
drop index events_by_channel;

-- Owner: domains/audit, domains/billing, domains/inbound. For the jobs that delete what is past its retention.
create index audit_entries_by_age on audit_entries (id);
create index usage_totals_by_age on usage_totals (since);
create index refused_callbacks_by_age on refused_callbacks (refused_at);

-- Owner: domains/webhooks. Endpoints that may have canceled deliveries in the queue.
create index webhook_endpoints_canceled on webhook_endpoints (organization_id, id)
  where greatest(canceled_generation, mode_canceled_generation) > 0;

-- Owner: domains/webhooks. For recoveries: what did not succeed, and what was replayed already.
create index deliveries_recoverable on deliveries (organization_id, endpoint_id, id)
  where status <> 'succeeded' or replay_of is not null;

-- Owner: domains/events. The last verified callback of a channel. Other kinds of events are not looked up by channel.
create index events_raw on events (organization_id, channel_id, id) where kind = 'upstream.raw';

-- Owner: domains/audit. Filters together: with an index of one of them only, a page whose entries are rare reads all that
-- the other filter rejects.
create index audit_entries_by_action_actor on audit_entries (organization_id, action, actor_id, id);
create index audit_entries_by_action_target on audit_entries (organization_id, action, target_id, id);
create index audit_entries_by_actor_target on audit_entries (organization_id, actor_id, target_id, id);
create index audit_entries_by_all on audit_entries (organization_id, action, actor_id, target_id, id);

-- Owner: domains/messages. The key of the lock that the sending process holds while it lives; null where it holds none, and in
-- processes of the version before: their sends end by `sending_until` alone.
alter table unsettled_sends add column lock_key integer;

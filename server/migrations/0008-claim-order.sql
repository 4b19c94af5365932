-- Owner: domains/webhooks/engine. `claim_order_at` is the order in which an endpoint's deliveries are claimed, and the
-- time from which they may be: first attempts come before every retry, because theirs lies a century back.
-- `last_attempt_due_at` is when the last attempt was due, of a delivery that waits for its next.
alter table delivery_queue rename column turn_at to claim_order_at;
alter table delivery_queue rename column tried_due_at to last_attempt_due_at;
alter index delivery_queue_turns rename to delivery_queue_claim_order;

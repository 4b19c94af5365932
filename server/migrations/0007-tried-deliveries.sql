-- Owner: domains/webhooks/deliveries. When the last attempt was due, of a delivery that waits for its next.
alter table delivery_queue add column tried_due_at timestamptz;

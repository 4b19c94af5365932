-- Owner: domains/billing. When the change was first stored: the payment provider forgets its idempotency key after a day.
alter table billing_requests add column changed_at timestamptz;
update billing_requests set changed_at = created_at where change is not null;

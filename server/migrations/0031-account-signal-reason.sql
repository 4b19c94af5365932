-- Owner: domains/channels. Why the account's last signal moved the channel: of two restrictions of an account one may leave it
-- able to send, and the other not.
alter table channels add column account_signal_reason text;

-- Owner: domains/channels. Status signals are what the upstream reports of a channel's account, number and name unasked;
-- each of the three counts by its own time. `account_signal` and `number_signal` are the statuses of the latest ones.
alter table channels rename column account_word to account_signal;
alter table channels rename column account_word_at to account_signal_at;
alter table channels rename column number_word to number_signal;
alter table channels rename column number_word_at to number_signal_at;
alter table channels rename column name_word_at to name_signal_at;

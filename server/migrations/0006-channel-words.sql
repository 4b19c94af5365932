-- Owner: domains/channels. The upstream speaks of a channel's account, of its number and of its name apart, and each
-- counts by its own time. `account_word` and `number_word` are the statuses that the latest words came to.
alter table channels
  add column account_word text,
  add column number_word text,
  add column number_word_at timestamptz,
  add column name_word_at timestamptz;

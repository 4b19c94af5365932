-- Owner: domains/channels. Whether the history of a number that is also in the Business app becomes events; and the username
-- of the number as the upstream reported it last, with the time of that report.
alter table channels
  add column import_history text not null default 'off' check (import_history in ('off', 'events')),
  add column username text,
  add column username_signal_at timestamptz;

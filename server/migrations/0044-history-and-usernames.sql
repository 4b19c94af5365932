-- Owner: domains/channels. Whether the history of a number that is also in the Business app becomes events; and the username
-- of the number as the upstream reported it last, with the time of that report. The constraint is not validated: every row
-- that exists has the default, and reading them would keep sends and callbacks waiting.
alter table channels
  add column import_history text not null default 'off',
  add column username text,
  add column username_signal_at timestamptz,
  add constraint channels_import_history_check check (import_history in ('off', 'events')) not valid;

-- Owner: domains/hold. One row: the database server that this data belongs to, and since when and why the hub is on hold.
-- `held_since` is null while it is not.
create table installation (
  is_only boolean primary key default true,
  system_identifier text,
  held_since timestamptz,
  hold_reason text,
  constraint installation_is_only_check check (is_only),
  constraint installation_hold_reason_check check (hold_reason in ('operator', 'restore', 'other_server')),
  constraint installation_hold_check check ((held_since is null) = (hold_reason is null))
);
insert into installation default values;

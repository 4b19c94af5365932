-- Owner: domains/organizations. The hashes of the codes with which the first account can be created where sign-up is closed:
-- one of each process that started before there was an account.
create table setup_codes (
  code_hash bytea primary key,
  created_at timestamptz not null default hub_now()
);

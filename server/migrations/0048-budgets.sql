-- Owner: domains/channels. What a channel may cost in a calendar month in UTC, in minor units of the currency of the rate cards.
alter table channels add column monthly_budget bigint;

-- Owner: domains/costs. Months of channels with a budget whose volumes or budget changed: only ever inserted. A job compares
-- each with its budget, and deletes the row.
create table cost_checks (
  organization_id uuid not null,
  seq bigint generated always as identity,
  channel_id uuid not null,
  month date not null,
  primary key (organization_id, seq)
);

-- Owner: domains/costs. The parts of budgets that were reached, in percent, each announced once.
create table cost_alerts (
  organization_id uuid not null,
  channel_id uuid not null,
  month date not null,
  percent integer not null,
  primary key (organization_id, channel_id, month, percent)
);
create index cost_alerts_by_age on cost_alerts (month);

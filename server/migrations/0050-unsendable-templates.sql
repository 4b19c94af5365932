-- Owner: domains/templates. The last status of a template that the upstream reported and with which it cannot be sent; null once
-- it can be sent again. `until` is when the report is forgotten; `is_timed`, whether the upstream said for how long it pauses.
create table unsendable_templates (
  organization_id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  status text check (status in ('PAUSED', 'DISABLED', 'REJECTED')),
  since timestamptz not null,
  until timestamptz not null,
  is_timed boolean not null,
  reported_at timestamptz not null,
  primary key (organization_id, waba_id, name, language)
);

create index unsendable_templates_by_end on unsendable_templates (until);

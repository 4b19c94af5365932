-- Owner: domains/organizations. A member can do without the mails about endpoints and channels of an organization.
alter table memberships add column alerts_by_mail boolean not null default true;

-- Owner: domains/alerts. The last mail about an endpoint or a channel to a member, which is sent at `due_at`: null once it was
-- sent or given up. The row stays for as long as it holds back another mail about the same.
create table alert_mails (
  organization_id uuid not null,
  subject_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('endpoint_paused', 'channel_degraded', 'channel_disconnected')),
  name text not null,
  occurred_at timestamptz not null default hub_now(),
  due_at timestamptz default hub_now(),
  attempts integer not null default 0,
  primary key (organization_id, subject_id, user_id)
);
create index alert_mails_due on alert_mails (due_at) where due_at is not null;
create index alert_mails_by_time on alert_mails (occurred_at);

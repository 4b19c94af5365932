-- Owner: domains/auth/sessions. Whether the person proved the second factor when the session began, or set it up in it.
-- Only such a session opens an organization that requires one. A session that is older than the factor of its person ends.
delete from sessions s
using users u
where u.id = s.user_id
  and u.totp_enabled_at > s.created_at;
alter table sessions add column has_second_factor boolean not null default false;
update sessions s
set has_second_factor = true
from users u
where u.id = s.user_id
  and u.totp_enabled_at is not null;

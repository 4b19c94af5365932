-- Owner: domains/auth. Counts the active keys of an organization without reading its revoked and expired ones.
create index credentials_active_keys on credentials (organization_id, (coalesce(expires_at, 'infinity')))
  where kind = 'api_key' and revoked_at is null;

-- Owner: domains/organizations. Pages of the open invitations, without reading the used and revoked ones.
create index invitations_open on invitations (organization_id, id)
  where accepted_at is null and revoked_at is null;

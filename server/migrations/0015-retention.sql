-- Owner: domains/connect-links. For the jobs that delete expired tokens and old links.
create index connect_links_by_expiry on connect_links (expires_at);
create index connect_links_exchanged on connect_links (exchanged_until) where exchanged_token is not null;
create index connect_link_hashes_by_link on connect_link_hashes (organization_id, link_id);

-- Owner: domains/auth. For the job that deletes credentials long after their end.
create index credentials_ended on credentials (least(revoked_at, expires_at))
  where revoked_at is not null or expires_at is not null;
create index credential_hashes_by_credential on credential_hashes (organization_id, credential_id);

-- Owner: domains/media. For the job that deletes ids of media that the upstream no longer has.
create index channel_media_by_age on channel_media (created_at);

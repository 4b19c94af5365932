-- Owner: domains/connect-links. A list of channels looks up the last link of each: without the id in the index, that may read every link of
-- the organization.
drop index connect_links_by_channel;
create index connect_links_by_channel on connect_links (organization_id, channel_id, id);

-- Owner: domains/auth. A channel token needs a scope for each of its requests, reading included. The tokens that exist read
-- their channel, so they get the three reading scopes.
update credentials
set scopes = array['channels:read', 'messages:read', 'templates:read'] || scopes
where kind = 'channel_token';

-- Owner: domains/connect-links. What a link was created with: the addresses to which its page sends the person back, the language
-- of the page, and the data that channel.connected returns. All are null for a link that was created without a body.
alter table connect_links
  add column success_url text,
  add column failure_url text,
  add column language text,
  add column metadata json;

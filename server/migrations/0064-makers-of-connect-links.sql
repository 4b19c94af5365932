-- Owner: domains/connect-links. The person or key that created a link; null for a link of before.
alter table connect_links
  add column maker_type text,
  add column maker_id text,
  add column maker_name text;

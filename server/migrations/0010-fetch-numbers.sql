-- Owner: domains/billing. `fetch_number` counts the fetches of a customer's state in the order in which they start, and
-- `written_fetch_number` is the one whose result is stored: a fetch writes only over the result of an earlier fetch.
alter table subscriptions rename column ticket to fetch_number;
alter table subscriptions rename column written_ticket to written_fetch_number;

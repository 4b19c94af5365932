-- Owner: domains/messages. The recipient in the upstream's answer to a send, for requests that repeat it: statuses may add to the contact.
alter table messages add column accepted_contact json;

-- Owner: domains/messages. Outbound messages are those of seven statuses, each a range of messages_by_status. This index was
-- written twice with each send.
drop index messages_outbound;

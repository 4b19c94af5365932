-- Owner: domains/channels. The throughput level of the number at its last check, by which the sends of a second are limited.
alter table channels add column throughput_level text;

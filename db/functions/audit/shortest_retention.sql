-- Nothing removes younger entries, whatever the settings say.
create or replace function audit.shortest_retention() returns interval
language sql immutable parallel safe
return interval '30 days';

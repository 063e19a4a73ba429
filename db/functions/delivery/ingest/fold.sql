-- Lower case for every script, whatever the database's own locale.
create or replace function delivery.fold(p_text text) returns text
language sql immutable parallel safe
return lower(p_text collate "und-x-icu");

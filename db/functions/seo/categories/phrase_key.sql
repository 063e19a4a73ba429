-- The form in which phrases are compared: lower case in any alphabet, single spaces, ё as е.
create or replace function seo.phrase_key(p_phrase text) returns text
language sql immutable parallel safe as $$
  select translate(lower(btrim(regexp_replace(p_phrase, '\s+', ' ', 'g')) collate "und-x-icu"), 'ё', 'е')
$$;

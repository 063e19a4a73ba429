-- Normalises a tag: `#Новости`, ` новости ` and `новости` are the same.
create or replace function delivery.tag_of(p_text text) returns text
language sql immutable parallel safe as $$
  select delivery.fold(btrim(ltrim(btrim(p_text), '#')))
$$;

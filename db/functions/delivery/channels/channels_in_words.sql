-- `2 channels (Новости, -100200)`, the first three by name; null for none.
create or replace function delivery.channels_in_words(p_names text[]) returns text
language sql immutable parallel safe as $$
  select format('%s %s (%s%s)', cardinality(p_names), case cardinality(p_names) when 1 then 'channel' else 'channels' end,
    array_to_string(p_names[1:3], ', '), case when cardinality(p_names) > 3 then ', …' else '' end)
  where p_names is not null
$$;

-- Normalised tags without repeats, in the order in which they were given; empty ones are left out.
create or replace function delivery.tags_in_order(p_tags text[]) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(tag order by place), '{}')
  from (
    select delivery.tag_of(given) as tag, min(place) as place
    from unnest(p_tags) with ordinality as t (given, place)
    group by 1
  ) as tags
  where tag <> ''
$$;

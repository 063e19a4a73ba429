-- A tag is spelt without `#`: "#news" in a filter never matched any post. From here on the database spells tags itself, see
-- db/functions/delivery/tags.sql; these are the rows from before.
update delivery.channels c
set tags = (
      select coalesce(array_agg(distinct tag), '{}')
      from (select lower(btrim(ltrim(btrim(given), '#')) collate "und-x-icu") as tag from unnest(c.tags) as given) as spelt
      where tag <> ''),
    route_filter = (
      select jsonb_object_agg(key, case when jsonb_typeof(value) <> 'array' then value else (
        select coalesce(jsonb_agg(distinct tag), '[]')
        from (
          select lower(btrim(ltrim(btrim(given), '#')) collate "und-x-icu") as tag from jsonb_array_elements_text(value) as given
        ) as spelt
        where tag <> '') end)
      from jsonb_each(c.route_filter))
where c.tags::text like '%#%' or c.route_filter::text like '%#%';

-- Routing tags: explicit ones and hashtags, in lower case, without repeats, sorted. They depend on nothing else, such as time
-- or source.
create or replace function delivery.tags_of(p_raw jsonb, p_payload jsonb) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct tag order by tag), '{}')
  from (
    select delivery.tag_of(tag)
    from jsonb_array_elements_text(
           case when jsonb_typeof(p_raw -> 'tags') = 'array' then p_raw -> 'tags' else '[]' end
           || case when jsonb_typeof(p_raw #> '{payload,tags}') = 'array' then p_raw #> '{payload,tags}' else '[]' end
         ) as tag
    union all
    select delivery.fold(found[1])
    from regexp_matches(p_payload ->> 'text' collate "und-x-icu", '(?<![[:alnum:]_&/])#([[:alnum:]_]*[[:alpha:]][[:alnum:]_]*)', 'g') as found
  ) as tags (tag)
  where tag <> ''
$$;

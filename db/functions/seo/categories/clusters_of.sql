-- Keywords as clusters, whichever of the two formats they are kept in. A phrase of a flat list is a cluster of its own, so that such
-- lists take turns phrase by phrase. What is missing in a cluster is computed from its phrases.
create or replace function seo.clusters_of(p_keywords jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_agg(
    case when k.item ? 'cluster_name' then seo.whole_cluster(k.item)
      else seo.whole_cluster(jsonb_build_object('cluster_name', k.phrase, 'main_phrase', k.phrase, 'phrases', jsonb_build_array(k.item)))
    end order by k.place), '[]')
  from (
    select item, place, coalesce(item ->> 'phrase', item ->> 'cluster_name') as phrase
    from jsonb_array_elements(p_keywords) with ordinality as given (raw, place)
    cross join lateral (
      select case when jsonb_typeof(raw) = 'string' then jsonb_build_object('phrase', raw) else raw end as item) as each
    where jsonb_typeof(item) = 'object'
  ) k
  where btrim(k.phrase) <> '' and (not k.item ? 'cluster_name' or seo.count_phrases(k.item) > 0)
$$;

-- How many clusters and phrases clusters_of would return, without building them: lists of categories are shown often.
create or replace function seo.count_keywords(p_keywords jsonb, out clusters int, out phrases int)
language sql immutable parallel safe as $$
  select count(*)::int, coalesce(sum(k.phrases), 0)::int
  from (
    select case when item ? 'cluster_name' then seo.count_phrases(item) else 1 end as phrases,
      coalesce(item ->> 'phrase', item ->> 'cluster_name') as phrase
    from jsonb_array_elements(p_keywords) as given (raw)
    cross join lateral (
      select case when jsonb_typeof(raw) = 'string' then jsonb_build_object('phrase', raw) else raw end as item) as each
    where jsonb_typeof(item) = 'object'
  ) k
  where btrim(k.phrase) <> '' and k.phrases > 0
$$;

create or replace function seo.count_phrases(p_cluster jsonb) returns int
language sql immutable parallel safe as $$
  select count(*)::int
  from jsonb_array_elements(case when jsonb_typeof(p_cluster -> 'phrases') = 'array' then p_cluster -> 'phrases' else '[]' end) as each (p)
  where btrim(p ->> 'phrase') <> ''
$$;

create or replace function seo.whole_cluster(p_cluster jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object(
    'cluster_name', p_cluster ->> 'cluster_name',
    'cluster_type', case when p_cluster ->> 'cluster_type' = 'product_page' then 'product_page' else 'article' end,
    'main_phrase', coalesce(nullif(btrim(p_cluster ->> 'main_phrase'), ''), f.first),
    'total_volume', coalesce(seo.number_in(p_cluster -> 'total_volume'), f.volume),
    'avg_difficulty', coalesce(seo.number_in(p_cluster -> 'avg_difficulty'), f.difficulty),
    'phrases', f.phrases)
    || jsonb_strip_nulls(jsonb_build_object('total_yandex_volume', coalesce(seo.number_in(p_cluster -> 'total_yandex_volume'), f.yandex)))
  from (
    select (array_agg(p ->> 'phrase'
        order by greatest(seo.number_in(p -> 'volume'), seo.number_in(p -> 'yandex_volume')) desc nulls last, place))[1] as first,
      sum(seo.number_in(p -> 'yandex_volume')) as yandex, sum(seo.number_in(p -> 'volume')) as volume, round(avg(seo.number_in(p -> 'difficulty')), 1) as difficulty,
      coalesce(jsonb_agg(p order by place), '[]') as phrases
    from jsonb_array_elements(seo.phrases_of(p_cluster)) with ordinality as each (p, place)
  ) f
$$;

-- The phrases of a cluster, each with all fields of the document, and with the places of its volumes where they are known.
create or replace function seo.phrases_of(p_cluster jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_agg(jsonb_build_object(
      'phrase', btrim(p ->> 'phrase'), 'volume', seo.number_in(p -> 'volume'), 'difficulty', seo.number_in(p -> 'difficulty'),
      'cpc', seo.number_in(p -> 'cpc'), 'intent', p ->> 'intent', 'ai_suggested', coalesce(p -> 'ai_suggested' = 'true', false))
      || jsonb_strip_nulls(jsonb_build_object('volume_country', p ->> 'volume_country',
        'yandex_volume', seo.number_in(p -> 'yandex_volume'), 'yandex_region', p ->> 'yandex_region'))
    order by place), '[]')
  from jsonb_array_elements(case when jsonb_typeof(p_cluster -> 'phrases') = 'array' then p_cluster -> 'phrases' else '[]' end)
    with ordinality as each (p, place)
  where btrim(p ->> 'phrase') <> ''
$$;

create or replace function seo.number_in(p_value jsonb) returns numeric
language sql immutable parallel safe as $$
  select case when jsonb_typeof(p_value) = 'number' then p_value::numeric end
$$;

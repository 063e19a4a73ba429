-- The clusters of a category that a kind of content may use, in their turn: the most searched first, by the larger of Google's and
-- Yandex's volumes, then the easier; those used within the last seven days come last, the longest unused first. Articles use clusters
-- of articles, everything else all of them. Uses publications_of_category.
create or replace function seo.rotation_of(
  p_workspace_id uuid, p_category_id int, p_content_type text, p_now timestamptz default now()
) returns table (cluster jsonb, main_phrase text, used_at timestamptz, turn bigint)
language sql stable as $$
  select k.cluster, k.cluster ->> 'main_phrase', u.used_at,
    row_number() over (order by u.used_at nulls first,
      greatest((k.cluster ->> 'total_volume')::numeric, (k.cluster ->> 'total_yandex_volume')::numeric) desc nulls last,
      (k.cluster ->> 'avg_difficulty')::numeric nulls last, k.place)
  from seo.categories c
  cross join lateral jsonb_array_elements(seo.clusters_of(c.keywords)) with ordinality as k (cluster, place)
  left join lateral (
    select max(l.created_at) as used_at
    from seo.publication_logs l
    where l.workspace_id = p_workspace_id and l.category_id = p_category_id and l.created_at > p_now - interval '7 days'
      and l.content_type = p_content_type and l.status = 'success'
      and seo.phrase_key(l.keyword) = seo.phrase_key(k.cluster ->> 'main_phrase')
  ) u on true
  where c.workspace_id = p_workspace_id and c.id = p_category_id
    and (p_content_type <> 'article' or k.cluster ->> 'cluster_type' = 'article')
$$;

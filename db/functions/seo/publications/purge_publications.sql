-- Deletes publications from before a moment, oldest first, and keeps their counts and the prints of their texts. One statement, so that
-- nothing is counted twice or lost. Returns how many went; call it until that is none. Uses publications_by_time.
create or replace function seo.purge_publications(p_before timestamptz, p_most int default 2000) returns int
language sql as $$
  with due as materialized (
    select l.workspace_id, l.id from seo.publication_logs l
    where l.created_at < p_before
    order by l.created_at
    limit p_most
    for update skip locked),
  gone as (
    delete from seo.publication_logs l using due d
    where l.workspace_id = d.workspace_id and l.id = d.id
    returning l.*),
  prints as (
    insert into seo.publication_prints (workspace_id, id, user_id, project_id, content_hash)
    select g.workspace_id, g.id, g.user_id, g.project_id, g.content_hash
    from gone g
    where g.status = 'success' and g.content_hash is not null),
  totals as (
    insert into seo.publication_totals as t (workspace_id, project_id, category_id, platform_type, content_type, status, month,
      publications, images, words, tokens)
    select g.workspace_id, g.project_id, coalesce(g.category_id, 0), g.platform_type, g.content_type, g.status,
      date_trunc('month', g.created_at, 'UTC')::date, count(*), sum(g.images_count), sum(g.word_count), sum(g.tokens_spent)
    from gone g
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (workspace_id, project_id, category_id, platform_type, content_type, status, month) do update
    set publications = t.publications + excluded.publications, images = t.images + excluded.images,
      words = t.words + excluded.words, tokens = t.tokens + excluded.tokens)
  select count(*)::int from gone
$$;

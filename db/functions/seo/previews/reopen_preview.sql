-- A publication failed: the article is a draft again until its day is over. Returns whether it was.
create or replace function seo.reopen_preview(
  p_workspace_id uuid, p_user_id bigint, p_preview_id int, p_now timestamptz default now()
) returns boolean
language sql as $$
  with reopened as (
    update seo.article_previews p set status = 'draft'
    where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_preview_id and p.status = 'published'
      and p.expires_at > p_now
    returning 1)
  select exists (select from reopened)
$$;

-- Ends a draft, if it still is one, and returns it; no row if somebody else was first, it is not this person's, or (to publish) its day
-- is over.
create or replace function seo.claim_preview(
  p_workspace_id uuid, p_user_id bigint, p_preview_id int, p_status text, p_now timestamptz default now()
) returns setof seo.article_previews
language sql as $$
  update seo.article_previews p set status = p_status
  where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_preview_id and p.status = 'draft'
    and (p_status <> 'published' or p.expires_at > p_now)
  returning p.*
$$;

-- Ends drafts whose day is over and returns them, so that their tokens go back and their files are deleted. Drafts that are being
-- published this moment are left out. Uses previews_by_expiry.
create or replace function seo.expire_previews(p_limit int, p_now timestamptz default now()) returns setof seo.article_previews
language sql as $$
  update seo.article_previews p set status = 'expired'
  from (
    select d.workspace_id, d.id from seo.article_previews d
    where d.status = 'draft' and d.expires_at <= p_now
    order by d.expires_at
    limit p_limit
    for update skip locked
  ) due
  where p.workspace_id = due.workspace_id and p.id = due.id
  returning p.*
$$;

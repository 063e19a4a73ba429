-- A run that has ended leaves nothing behind: its phrase is free, and its draft ends as it did.
create or replace function seo.clear_run() returns trigger
language plpgsql as $$
begin
  perform seo.release_phrases(new.workspace_id, new.id::text);
  update seo.article_previews p
  set status = case new.status when 'done' then 'published' when 'expired' then 'expired' else 'cancelled' end
  where p.workspace_id = new.workspace_id and p.user_id = new.user_id and p.run = new.id::text and p.status = 'draft';
  return null;
end
$$;

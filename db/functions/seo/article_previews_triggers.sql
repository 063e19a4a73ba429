create or replace trigger refuse_preview_transition
  before update of status on seo.article_previews
  for each row
  when (old.status <> new.status and old.status <> 'draft' and not (old.status = 'published' and new.status = 'draft'))
  execute function seo.refuse_preview_transition();

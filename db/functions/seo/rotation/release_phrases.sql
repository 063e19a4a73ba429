-- A run has ended: what it worked on is free for others. Call it in the transaction that writes the publication, so that the phrase
-- rests from the same moment on.
create or replace function seo.release_phrases(p_workspace_id uuid, p_run text) returns int
language sql as $$
  with released as (
    delete from seo.phrase_reservations r where r.workspace_id = p_workspace_id and r.run = p_run returning 1)
  select count(*)::int from released
$$;

-- Which of these a source lists for the first time.
create or replace function delivery.unseen_refs(p_workspace_id uuid, p_source_id text, p_refs text[]) returns setof text
language sql stable as $$
  select ref from unnest(p_refs) as ref
  where not exists (
    select from delivery.pull_receipts r
    where r.workspace_id = p_workspace_id and r.source_id = p_source_id and r.source_ref = delivery.short_ref(ref))
$$;

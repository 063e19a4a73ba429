-- Media that may be deleted, in the order of the key. Uses media_origin_unreferenced.
create or replace function delivery.media_gc_candidates(
  p_after_workspace uuid, p_after_blob text, p_limit int, p_now timestamptz default now()
) returns table (workspace_id uuid, blob_ref text)
language sql stable as $$
  select o.workspace_id, o.blob_ref
  from delivery.media_origin o
  where o.ref_count = 0
    and (o.workspace_id, o.blob_ref)
        > (coalesce(p_after_workspace, '00000000-0000-0000-0000-000000000000'), coalesce(p_after_blob, ''))
    and delivery.media_gc_is_old(o, p_now)
  order by o.workspace_id, o.blob_ref
  limit p_limit
$$;

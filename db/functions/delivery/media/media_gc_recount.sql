-- Updates the stored count of references, one batch in the order of the key.
create or replace function delivery.media_gc_recount(
  p_after_workspace uuid, p_after_blob text, p_limit int, out changed int, out next_workspace uuid, out next_blob text)
language sql as $$
  with seen as materialized (
    select o.workspace_id, o.blob_ref, o.ref_count, delivery.media_gc_refs(o.workspace_id, o.blob_ref) as refs,
      row_number() over (order by o.workspace_id, o.blob_ref) as place
    from (
      select * from delivery.media_origin
      where (workspace_id, blob_ref)
            > (coalesce(p_after_workspace, '00000000-0000-0000-0000-000000000000'), coalesce(p_after_blob, ''))
      order by workspace_id, blob_ref
      limit p_limit
    ) o
  ),
  -- A row that is locked is counted in the next run; waiting for it could cause a deadlock.
  wrong as materialized (
    select o.workspace_id, o.blob_ref, s.refs
    from delivery.media_origin o
    join seen s using (workspace_id, blob_ref)
    where o.ref_count <> s.refs
    for update of o skip locked
  ),
  corrected as (
    update delivery.media_origin o set ref_count = w.refs
    from wrong w
    where o.workspace_id = w.workspace_id and o.blob_ref = w.blob_ref
    returning 1
  )
  select (select count(*) from corrected)::int, last.workspace_id, last.blob_ref
  from (values (1)) as one left join seen last on last.place = p_limit
$$;

-- Locks one origin and returns its address if it is not needed; otherwise no row.
create or replace function delivery.media_gc_take(p_workspace_id uuid, p_blob_ref text, p_now timestamptz default now())
returns text
language plpgsql as $$
declare
  v_origin delivery.media_origin;
begin
  select * into v_origin from delivery.media_origin o
  where o.workspace_id = p_workspace_id and o.blob_ref = p_blob_ref
  for update skip locked;
  -- Checked after the lock, because both may have changed since the candidates were listed.
  if found and delivery.media_gc_is_old(v_origin, p_now) and delivery.media_gc_refs(p_workspace_id, p_blob_ref) = 0 then
    return v_origin.origin_url;
  end if;
  return null;
end
$$;

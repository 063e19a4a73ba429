create or replace function delivery.media_gc_refs(p_workspace_id uuid, p_blob_ref text) returns bigint
language plpgsql stable as $$
declare
  v_hook text;
  v_refs bigint;
  v_all  bigint := 0;
begin
  for v_hook in select molva.hooks('media_refs') loop
    execute format('select %s($1, $2)', v_hook) into v_refs using p_workspace_id, p_blob_ref;
    v_all := v_all + v_refs;
  end loop;
  return v_all;
end
$$;

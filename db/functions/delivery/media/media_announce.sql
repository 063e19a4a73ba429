-- Announces a file that is about to be stored: its row is written before its object, so that the garbage collection of media
-- sees it. Returns the address of the object that it replaces, if there is one.
create or replace function delivery.media_announce(
  p_workspace_id uuid, p_blob_ref text, p_origin_url text, p_source_url text, p_about jsonb, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_before delivery.media_origin;
begin
  select * into v_before from delivery.media_origin o
  where o.workspace_id = p_workspace_id and o.blob_ref = p_blob_ref
  for update;
  insert into delivery.media_origin as o (
    workspace_id, blob_ref, origin_url, source_url, sha256, content_type, size_bytes, file_name, width, height, last_seen_at,
    created_at)
  values (
    p_workspace_id, p_blob_ref, p_origin_url, p_source_url, p_about ->> 'sha256', p_about ->> 'content_type',
    (p_about ->> 'size_bytes')::bigint, p_about ->> 'file_name', (p_about ->> 'width')::int, (p_about ->> 'height')::int,
    p_now, p_now)
  on conflict (workspace_id, blob_ref) do update
    set origin_url = excluded.origin_url, source_url = excluded.source_url, sha256 = excluded.sha256,
        content_type = excluded.content_type, size_bytes = excluded.size_bytes, file_name = excluded.file_name,
        width = excluded.width, height = excluded.height, fetched_at = null,
        last_seen_at = greatest(o.last_seen_at, excluded.last_seen_at);
  if v_before.sha256 is distinct from p_about ->> 'sha256' then
    -- Another file under the same name: the providers' ids of the old one cannot be used for it.
    delete from delivery.media_blobs b where b.workspace_id = p_workspace_id and b.blob_ref = p_blob_ref;
  end if;
  return nullif(v_before.origin_url, p_origin_url);
end
$$;

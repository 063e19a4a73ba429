-- A post that uses a blob marks it as seen, however the post came.
create or replace function delivery.media_gc_touch() returns trigger
language plpgsql as $$
begin
  -- In one order, so that two posts with the same media cannot deadlock.
  perform from delivery.media_origin o
  where o.workspace_id = new.workspace_id
    and o.blob_ref in (select jsonb_array_elements_text(jsonb_path_query_array(new.payload, '$.media[*].blob_ref')))
  order by o.blob_ref
  for update;
  update delivery.media_origin o
  set last_seen_at = greatest(o.last_seen_at, new.last_seen_at)
  where o.workspace_id = new.workspace_id
    and o.blob_ref in (select jsonb_array_elements_text(jsonb_path_query_array(new.payload, '$.media[*].blob_ref')));
  return null;
end
$$;

-- A post names its files: each is expected in the storage from now on, however the post came. Until it is stored, its origin
-- is the address in the post.
create or replace function delivery.media_expect() returns trigger
language plpgsql as $$
begin
  -- In one order, so that two posts with the same media cannot deadlock.
  insert into delivery.media_origin (workspace_id, blob_ref, origin_url, last_seen_at, created_at)
  select distinct on (m ->> 'blob_ref') new.workspace_id, m ->> 'blob_ref', m ->> 'url', new.last_seen_at, new.created_at
  from jsonb_array_elements(new.payload -> 'media') as m
  where m ->> 'url' ~ '^https?://' and m ->> 'blob_ref' is not null
  order by m ->> 'blob_ref'
  on conflict do nothing;
  perform pg_notify('molva_media', '');
  return null;
end
$$;

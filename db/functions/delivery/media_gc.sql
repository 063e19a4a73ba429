-- Which media origins nobody needs any more. The object goes first, then its row, under the row's lock.
--
-- Who stores media writes the row before the object: a row that was just seen is not collected, and a row that is being
-- collected makes the writer wait and then store both anew. Every module that keeps media says by `media_refs` which it uses.

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

-- How often the posts of this module use a blob. Uses messages_blobs.
create or replace function delivery.media_refs(p_workspace_id uuid, p_blob_ref text) returns bigint
language sql stable as $$
  select count(*)
  from delivery.messages m
  where m.workspace_id = p_workspace_id and m.payload ? 'media'
    and jsonb_path_query_array(m.payload, '$.media[*].blob_ref') @> jsonb_build_array(p_blob_ref)
$$;

create or replace function delivery.media_gc_is_old(p_origin delivery.media_origin, p_now timestamptz default now()) returns boolean
language sql stable as $$
  select p_origin.last_seen_at < p_now - make_interval(days =>
    case when p_origin.content_type like 'video/%' and p_origin.size_bytes >= r.large_video_bytes
      then r.large_video_days else r.media_days end)
  from delivery.retention_of((select w.settings from workspaces.workspaces w where w.workspace_id = p_origin.workspace_id)) r
$$;

-- Brings the stored count of references up to date, a batch in the order of the key.
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
  -- A row that somebody holds is counted at the next run; waiting for it could end in a circle.
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

-- What may be due, in the order of the key. Uses media_origin_unreferenced.
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

-- Locks one origin and gives its address, if nobody needs it; otherwise nothing.
create or replace function delivery.media_gc_take(p_workspace_id uuid, p_blob_ref text, p_now timestamptz default now())
returns text
language plpgsql as $$
declare
  v_origin delivery.media_origin;
begin
  select * into v_origin from delivery.media_origin o
  where o.workspace_id = p_workspace_id and o.blob_ref = p_blob_ref
  for update skip locked;
  -- Asked after the lock, because both may have changed since the candidates were listed.
  if found and delivery.media_gc_is_old(v_origin, p_now) and delivery.media_gc_refs(p_workspace_id, p_blob_ref) = 0 then
    return v_origin.origin_url;
  end if;
  return null;
end
$$;

-- After the object is gone: its row, and what providers called it.
create or replace function delivery.media_gc_forget(p_workspace_id uuid, p_blob_ref text) returns void
language sql as $$
  delete from delivery.media_blobs where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
  delete from delivery.media_claims where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
  delete from delivery.media_origin where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
$$;

-- A post that uses a blob has seen it, through whichever door the post came.
create or replace function delivery.media_gc_touch() returns trigger
language plpgsql as $$
begin
  -- In one order, so that two posts with the same media do not wait for each other in a circle.
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

create or replace trigger media_gc_touch
  after insert or update of last_seen_at on delivery.messages
  for each row
  when (new.payload @? '$.media[*].blob_ref')
  execute function delivery.media_gc_touch();

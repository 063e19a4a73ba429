-- Takes files that are still to be fetched, and sets the time of the next attempt in case this one fails. `p_busy` has the
-- workspace of each file that the caller is already fetching: workspaces take turns, and one workspace never gets the last
-- place, however slow its servers are. Uses media_origin_expected.
create or replace function delivery.media_take_expected(
  p_places int, p_retry_at timestamptz, p_busy uuid[] default '{}', p_now timestamptz default now()
) returns table (workspace_id uuid, blob_ref text, url text)
language sql as $$
  with due as (
    select w.workspace_id, o.blob_ref
    from workspaces.workspaces w
    cross join lateral (
      select o.blob_ref, o.fetch_after from delivery.media_origin o
      where o.workspace_id = w.workspace_id and o.origin_url not like 'storage:%' and o.fetch_after <= p_now
      order by o.fetch_after
      limit greatest(delivery.pull_room(w.workspace_id, p_places, p_busy), 0)
      for update skip locked
    ) o
    order by row_number() over (partition by w.workspace_id order by o.fetch_after)
        + (select count(*) from unnest(p_busy) as busy where busy = w.workspace_id), o.fetch_after
    limit greatest(p_places - cardinality(p_busy), 0)
  )
  update delivery.media_origin o set fetch_after = p_retry_at
  from due d
  where o.workspace_id = d.workspace_id and o.blob_ref = d.blob_ref
  returning o.workspace_id, o.blob_ref, o.origin_url
$$;

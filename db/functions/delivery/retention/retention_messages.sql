-- Deletes messages that were not sent again and that no delivery uses any more.
create or replace function delivery.retention_messages(
  p_workspace_id uuid, p_after uuid, p_limit int, p_now timestamptz default now(), out removed int, out next uuid)
language plpgsql as $$
declare
  v_cutoff  constant timestamptz := (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now));
  v_stretch record;
  v_seen    int;
  v_due     uuid[];
begin
  select * into v_stretch from delivery.retention_stretch(v_cutoff, p_after, p_now);
  with seen as materialized (
    select m.message_id
    from delivery.messages m
    where m.workspace_id = p_workspace_id and m.message_id > v_stretch.from_id and m.message_id < v_stretch.to_id
    order by m.message_id
    limit p_limit
  ),
  due as (
    select m.message_id
    from delivery.messages m
    where m.workspace_id = p_workspace_id and m.message_id in (select s.message_id from seen s)
      and m.last_seen_at < v_cutoff
      and not exists (
        select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.message_id = m.message_id)
    for update skip locked
  )
  select (select array_agg(due.message_id) from due), count(*), max(s.message_id::text)::uuid
  into v_due, v_seen, next from seen s;

  -- Checked again in a separate statement: a delivery created just before the lock was taken would be deleted with its
  -- message.
  delete from delivery.messages m
  where m.workspace_id = p_workspace_id and m.message_id = any (v_due)
    and not exists (
      select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.message_id = m.message_id);
  get diagnostics removed = row_count;
  if v_seen < p_limit then
    next := v_stretch.next;
  end if;
end
$$;

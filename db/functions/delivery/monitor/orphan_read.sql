create or replace function delivery.orphan_read(
  p_workspace_id uuid, p_reader text, p_limit int, p_kept interval default interval '90 days',
  p_now timestamptz default now(), out scanned bigint, out orphans bigint
)
language plpgsql as $$
declare
  -- The transaction of a newer event may not have ended yet.
  v_until constant timestamptz := p_now - interval '1 minute';
  c_rest  constant interval := interval '6 hours';
  c_start constant uuid := '00000000-0000-0000-0000-000000000000';
  v_from  delivery.orphan_cursors;
  v_last  record;
begin
  scanned := 0;
  orphans := 0;
  insert into delivery.orphan_cursors (workspace_id, reader, ts, event_id, moved_at)
  values (p_workspace_id, p_reader, case p_reader when 'fresh' then p_now - interval '1 hour' else '-infinity' end,
          c_start, '-infinity')
  on conflict (workspace_id, reader) do nothing;
  select * into v_from from delivery.orphan_cursors
  where workspace_id = p_workspace_id and reader = p_reader
    -- The reader pauses between two rounds.
    and (p_reader = 'fresh' or ts > '-infinity' or moved_at <= p_now - c_rest)
  for update skip locked;
  if v_from.workspace_id is null then
    return;
  end if;

  with batch as materialized (
    select e.ts, e.id, e.action, e.delivery_id, e.message_id, e.channel_id
    from workspaces.events e
    where e.workspace_id = p_workspace_id
      and e.ts >= greatest(v_from.ts, p_now - p_kept) and (e.ts, e.id) > (v_from.ts, v_from.event_id) and e.ts <= v_until
    order by e.ts, e.id
    limit p_limit
  ),
  missing as materialized (
    select b.*,
      case when b.channel_id is not null and not exists (
             select from delivery.channels c
             where c.workspace_id = p_workspace_id and c.channel_id = b.channel_id) then 'channel'
           when b.message_id is not null and not exists (
             select from delivery.messages m
             where m.workspace_id = p_workspace_id and m.message_id = b.message_id) then 'message'
           when b.delivery_id is not null and not exists (
             select from delivery.deliveries d
             where d.workspace_id = p_workspace_id and d.delivery_id = b.delivery_id) then 'delivery'
      end as missing
    from batch b
  ),
  -- A channel that an operator deleted was removed with its deliveries, and an event says so.
  deleted as materialized (
    select m.channel_id from (select distinct channel_id from missing where missing = 'channel') m
    where exists (
      select from workspaces.events e
      where e.workspace_id = p_workspace_id and e.channel_id = m.channel_id
        and e.action = 'channel_changed' and e.meta @> '{"deleted": true}')
  ),
  noted as (
    insert into delivery.orphan_events (workspace_id, event_id, event_ts, action, missing, missing_id, found_at)
    select p_workspace_id, m.id, m.ts, m.action, m.missing,
      case m.missing when 'channel' then m.channel_id when 'message' then m.message_id else m.delivery_id end, p_now
    from missing m
    where m.missing is not null and not exists (select from deleted d where d.channel_id = m.channel_id)
    on conflict (workspace_id, event_id) do nothing
    returning 1
  )
  select (select count(*) from batch) as scanned, (select count(*) from noted) as orphans,
    last.ts, last.id
  into v_last
  from (select 1) as one
  left join (select b.ts, b.id from batch b order by b.ts desc, b.id desc limit 1) as last on true;

  scanned := v_last.scanned;
  orphans := v_last.orphans;
  if p_reader = 'round' and scanned < p_limit then
    update delivery.orphan_cursors set ts = '-infinity', event_id = c_start, moved_at = p_now
    where workspace_id = p_workspace_id and reader = p_reader;
  else
    update delivery.orphan_cursors
    set ts = coalesce(v_last.ts, ts), event_id = coalesce(v_last.id, event_id), moved_at = p_now
    where workspace_id = p_workspace_id and reader = p_reader;
  end if;
end
$$;

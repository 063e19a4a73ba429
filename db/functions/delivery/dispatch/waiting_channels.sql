-- Channels that may get slots now, at most `p_limit`. A scan that was cut short continues where it stopped in the next call,
-- so that many channels share the claims in rotation. A loose index scan over deliveries_waiting.
create or replace function delivery.waiting_channels(p_workspace_id uuid, p_limit int, p_now timestamptz default now())
returns uuid[]
language plpgsql as $$
declare
  v_mark  uuid := (select m.channel_id from delivery.claim_marks m where m.workspace_id = p_workspace_id);
  v_found uuid[] := delivery.waiting_between(p_workspace_id, v_mark, null, p_limit, p_now);
begin
  if v_mark is not null and cardinality(v_found) < p_limit then
    v_found := v_found || delivery.waiting_between(p_workspace_id, null, v_mark, p_limit - cardinality(v_found), p_now);
  end if;
  if cardinality(v_found) = p_limit then
    -- Best effort: several claimers may move the mark, none waits for it.
    insert into delivery.claim_marks (workspace_id, channel_id) values (p_workspace_id, v_found[p_limit])
    on conflict do nothing;
    update delivery.claim_marks m set channel_id = v_found[p_limit]
    where m.workspace_id = (
      select f.workspace_id from delivery.claim_marks f where f.workspace_id = p_workspace_id for update skip locked);
  end if;
  return v_found;
end
$$;

-- The same for the channels after `p_after` up to `p_until`; null means no limit.
create or replace function delivery.waiting_between(
  p_workspace_id uuid, p_after uuid, p_until uuid, p_limit int, p_now timestamptz default now()
) returns uuid[]
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  with recursive hop as (
    select p_after as channel_id, false as open, 0 as found
    union all
    select n.channel_id, n.open, h.found + n.open::int
    from hop h
    cross join lateral (
      select d.channel_id, d.due_at <= p_now and coalesce((
        select delivery.claimable_from(c, g) <= p_now
        from delivery.channels c
        left join delivery.platform_limits g using (workspace_id, platform, rate_group)
        where c.workspace_id = p_workspace_id and c.channel_id = d.channel_id), false) as open
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status in ('queued', 'retry') and d.held_at is null
        and d.channel_id > coalesce(h.channel_id, '00000000-0000-0000-0000-000000000000')
        and d.channel_id <= coalesce(p_until, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by d.channel_id, d.due_at, d.delivery_id limit 1
    ) n
    where h.found < p_limit
  )
  select coalesce(array_agg(channel_id), '{}') from hop where open
$$;

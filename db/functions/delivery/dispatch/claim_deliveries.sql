-- Phase one: gives slots to waiting deliveries of one workspace and marks them claimed.
--
-- All functions take locks in one order: groups by (platform, rate_group), channels by id, then deliveries, skipping those
-- that another claimer holds. Each channel gets an equal share of the limit, so that a long queue is not read only to be
-- left; limited channels and groups get slots only a little ahead of now, so that a delivery that becomes urgent does not
-- wait behind hundreds of claimed ones.
create or replace function delivery.claim_deliveries(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_now          timestamptz default now()
) returns table (delivery_id uuid, channel_id uuid, not_before timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  c_ahead   constant interval := delivery.claim_ahead();
  v_waiting uuid[];
begin
  if p_limit <= 0 or not exists (
    select from workspaces.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active'
  ) then
    return;
  end if;
  v_waiting := delivery.waiting_channels(p_workspace_id, p_limit, p_now);
  if v_waiting = '{}' then
    return;
  end if;
  perform delivery.expire_stale(p_workspace_id, v_waiting, p_now);

  -- Separate statements: the queries below must see the state after the locks were taken. They do not lock the keys, so that
  -- inserting a delivery does not wait for them.
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.rate_rps > 0
    and (g.platform, g.rate_group) in (
      select c.platform, c.rate_group from delivery.channels c
      where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting))
  order by g.platform, g.rate_group
  for no key update;
  -- A channel without a rate has no slots to share, so several claimers may take from it at once.
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting) and c.rate_rps > 0
  order by c.channel_id
  for no key update;

  return query
  with open_channels as materialized (
    select c.channel_id, c.platform, c.rate_group, c.catchup, c.rate_rps > 0 or g.rate_rps > 0 as limited,
      nullif(c.rate_rps, 0)::float8 as rps, nullif(g.rate_rps, 0)::float8 as group_rps,
      greatest(p_now, coalesce(c.next_allowed_at, p_now)) as base,
      greatest(p_now, coalesce(g.next_allowed_at, p_now)) as group_base,
      -- A limited channel gets as many as its rate allows in the time ahead, another one what it can send now and next; less
      -- what is already claimed.
      least(
        p_limit / count(*) over (),
        greatest(0, case when c.rate_rps > 0 then ceil(c.rate_rps * extract(epoch from c_ahead)) + 1
                         else 2 * c.max_parallel::float8 end - coalesce(n.claimed, 0))
      )::int as room
    from delivery.channels c
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    left join (
      select t.channel_id, count(*) as claimed
      from (
        -- In the order of deliveries_claimed, so that this index is used.
        select d.channel_id from delivery.deliveries d
        where d.workspace_id = p_workspace_id and d.status = 'claimed'
        order by d.channel_id, d.not_before, d.delivery_id
        offset 0
      ) t
      group by 1
    ) n using (channel_id)
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting) and delivery.claimable_from(c, g) <= p_now
  ),
  taken as materialized (
    select o.channel_id, w.row_id, w.delivery_id, w.due_at
    from open_channels o
    cross join lateral (
      select d.ctid as row_id, d.delivery_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      order by d.due_at, d.delivery_id
      limit o.room
      for update skip locked
    ) w
    where o.catchup = 'paced'
    union all
    select o.channel_id, w.row_id, w.delivery_id, w.due_at
    from open_channels o
    cross join lateral (
      select d.ctid as row_id, d.delivery_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      order by d.due_at desc, d.delivery_id desc
      limit o.room
      for update skip locked
    ) w
    where o.catchup = 'newest_first'
  ),
  channel_slots as (
    select t.*, o.platform, o.rate_group, o.rps, o.group_rps, o.base, o.group_base,
      case when o.rps is null then p_now else o.base + (row_number() over (
        partition by t.channel_id
        order by case o.catchup when 'paced' then t.due_at end, t.due_at desc,
          case o.catchup when 'paced' then t.delivery_id end, t.delivery_id desc) - 1)
        * interval '1 second' / o.rps
      end as channel_slot
    from taken t
    join open_channels o using (channel_id)
    where o.limited
  ),
  limited as materialized (
    select * from (
      select s.*,
        case when s.group_rps is null then s.channel_slot
          else greatest(s.channel_slot, s.group_base + (row_number() over (
            partition by s.platform, s.rate_group order by s.channel_slot, s.due_at, s.delivery_id) - 1)
            * interval '1 second' / s.group_rps)
        end as slot
      from channel_slots s
    ) as slots
    where group_rps is null or slot <= p_now + c_ahead
  ),
  moved_channels as (
    update delivery.channels c
    set next_allowed_at = n.base + n.taken * interval '1 second' / n.rps
    from (select channel_id, base, rps, count(*) as taken from limited where rps is not null group by 1, 2, 3) n
    where c.workspace_id = p_workspace_id and c.channel_id = n.channel_id
  ),
  moved_groups as (
    update delivery.platform_limits g
    set next_allowed_at = n.group_base + n.taken * interval '1 second' / n.group_rps, updated_at = p_now
    from (select platform, rate_group, group_base, group_rps, count(*) as taken
          from limited where group_rps is not null group by 1, 2, 3, 4) n
    where g.workspace_id = p_workspace_id and g.platform = n.platform and g.rate_group = n.rate_group
  )
  update delivery.deliveries d
  set status = 'claimed', not_before = s.slot, claimed_at = p_now, claim_token = p_run_id, updated_at = p_now
  from (
    select l.row_id, l.slot from limited l
    union all
    -- Without a pace there are no slots: deliveries start in the order in which they were due.
    select t.row_id, case o.catchup when 'paced' then t.due_at else p_now end from taken t
    join open_channels o using (channel_id)
    where o.limited is not true
  ) s
  -- The rows are locked, so their ctid does not change.
  where d.ctid = s.row_id
  returning d.delivery_id, d.channel_id, d.not_before;
end
$$;

-- How far ahead of now a limited channel or group gets slots, and how near its last slot must be to get more. The difference
-- makes claims rare compared with sends.
create or replace function delivery.claim_ahead() returns interval
language sql immutable parallel safe as $$ select interval '2 seconds' $$;

-- Phase one: gives waiting deliveries of one workspace their slots and marks them claimed.
--
-- Locks are taken in one order by everybody: groups by (platform, rate_group), channels by id, then deliveries, which
-- skip what another claimer holds. A channel is filled only a little ahead of now, so that a late but urgent delivery
-- does not stand behind hundreds of claimed ones.
create or replace function delivery.claim_deliveries(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_now          timestamptz default now()
) returns table (delivery_id uuid, channel_id uuid, not_before timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  c_ahead       constant interval := interval '2 seconds';
  c_per_channel constant int := 20;
begin
  if p_limit <= 0 or not exists (
    select from delivery.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active'
  ) then
    return;
  end if;

  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and coalesce(g.cooldown_until, '-infinity') <= p_now
  order by g.platform, g.rate_group
  for update;

  return query
  with open_channels as materialized (
    select c.channel_id, c.platform, c.rate_group, c.rate_rps, g.rate_rps as group_rps,
      greatest(p_now, coalesce(c.next_allowed_at, p_now)) as base,
      greatest(p_now, coalesce(g.next_allowed_at, p_now)) as group_base
    from delivery.channels c
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    where c.workspace_id = p_workspace_id and c.enabled
      and coalesce(c.paused_until, '-infinity') <= p_now
      and coalesce(c.next_allowed_at, p_now) <= p_now + c_ahead
      and coalesce(g.next_allowed_at, p_now) <= p_now + c_ahead
      and coalesce(g.cooldown_until, '-infinity') <= p_now
      and exists (
        select from delivery.deliveries d
        where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.status in ('queued', 'retry'))
    order by c.channel_id
    for update of c
  ),
  chosen as materialized (
    select w.delivery_id, o.*, w.priority, w.created_at,
      row_number() over (partition by o.channel_id order by w.priority, w.created_at, w.delivery_id) as place
    from open_channels o
    cross join lateral (
      select d.delivery_id, d.priority, d.created_at
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry')
        and d.not_before <= p_now
        and (d.status = 'queued' or d.next_retry_at <= p_now)
        and d.held_at is null
      order by d.priority, d.created_at
      limit c_per_channel
      for update skip locked
    ) w
    -- A round over the channels before a second delivery of any of them.
    order by place, w.priority, w.created_at
    limit p_limit
  ),
  channel_slots as (
    select c.*,
      case when c.rate_rps > 0
        then c.base + (c.place - 1) * interval '1 second' / c.rate_rps::double precision
        else p_now
      end as channel_slot
    from chosen c
  ),
  slots as (
    select s.*,
      row_number() over (partition by s.platform, s.rate_group order by s.channel_slot, s.priority, s.created_at, s.delivery_id) as group_place
    from channel_slots s
  ),
  final_slots as (
    select s.delivery_id, s.channel_id,
      case when s.group_rps > 0
        then greatest(s.channel_slot, s.group_base + (s.group_place - 1) * interval '1 second' / s.group_rps::double precision)
        else s.channel_slot
      end as slot
    from slots s
  ),
  moved_channels as (
    update delivery.channels c
    set next_allowed_at = n.base + n.taken * interval '1 second' / n.rate_rps::double precision
    from (select channel_id, base, rate_rps, count(*) as taken from slots where rate_rps > 0 group by 1, 2, 3) n
    where c.workspace_id = p_workspace_id and c.channel_id = n.channel_id
  ),
  moved_groups as (
    update delivery.platform_limits g
    set next_allowed_at = n.group_base + n.taken * interval '1 second' / n.group_rps::double precision,
        updated_at = p_now
    from (select platform, rate_group, group_base, group_rps, count(*) as taken
          from slots where group_rps > 0 group by 1, 2, 3, 4) n
    where g.workspace_id = p_workspace_id and g.platform = n.platform and g.rate_group = n.rate_group
  )
  update delivery.deliveries d
  set status = 'claimed', not_before = f.slot, claimed_at = p_now, claim_token = p_run_id, updated_at = p_now
  from final_slots f
  where d.workspace_id = p_workspace_id and d.delivery_id = f.delivery_id
  returning d.delivery_id, d.channel_id, d.not_before;
end
$$;

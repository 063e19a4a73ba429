-- Which channels of a workspace have something to do, found by hopping from channel to channel through an index: the cost
-- grows with the channels that wait, not with the deliveries and not with history. The order names all columns of the
-- index and other ways to sort are switched off, so that no plan can look better than the hop.

-- How far ahead of now a limited channel or group is given slots, and how near its last one must be to get more. The
-- distance between the two makes claims rare beside sends.
create or replace function delivery.claim_ahead() returns interval
language sql immutable parallel safe as $$ select interval '2 seconds' $$;

create or replace function delivery.claim_again() returns interval
language sql immutable parallel safe as $$ select interval '1 second' $$;

-- When a channel may be given slots at the earliest, or null when it may not. The one place that decides it; without a
-- query of its own, so that it becomes a part of the query that asks.
create or replace function delivery.claimable_from(p_channel delivery.channels, p_group delivery.platform_limits)
returns timestamptz
language sql stable parallel safe as $$
  select case when p_channel.enabled then greatest('-infinity', p_channel.paused_until, p_group.cooldown_until,
    case when p_channel.rate_rps > 0 then p_channel.next_allowed_at - delivery.claim_again() end,
    case when p_group.rate_rps > 0 then p_group.next_allowed_at - delivery.claim_again() end) end
$$;

-- Channels that may be given slots now, `p_limit` of them at most. A walk that was cut short is taken up by the next one
-- where it stopped, so that a crowd of channels shares the claims in turn. Hops through deliveries_waiting.
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

-- The same for the channels after `p_after` up to `p_until`; null for no border.
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

-- Something claimed whose slot has come. Hops through deliveries_claimed.
create or replace function delivery.ready_channels(p_workspace_id uuid, p_now timestamptz default now()) returns uuid[]
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  with recursive hop as (
    (select d.channel_id, d.not_before from delivery.deliveries d
     where d.workspace_id = p_workspace_id and d.status = 'claimed'
     order by d.channel_id, d.not_before, d.delivery_id limit 1)
    union all
    select n.channel_id, n.not_before
    from hop h
    cross join lateral (
      select d.channel_id, d.not_before from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.channel_id > h.channel_id
      order by d.channel_id, d.not_before, d.delivery_id limit 1
    ) n
  )
  select coalesce(array_agg(channel_id), '{}') from hop where not_before <= p_now
$$;

-- The same for a caller that can wait: returns deliveries that are to be sent until `p_until` a little early, each with the
-- time at which its request may be sent and, for a limited channel, the minimum time after the previous one. So a slow answer
-- of the database does not make a channel late, nor the next request early.
--
-- Requests of a limited channel or group are sent one by one, a little more than 1/rate apart, however many slots have
-- passed: the provider counts arrivals, and the network may bring two requests closer together than they were sent.
create or replace function delivery.start_until(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_until        timestamptz,
  p_now          timestamptz default now()
) returns setof delivery.started_delivery
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_ready     uuid[] := delivery.ready_channels(p_workspace_id, p_until);
  v_blocked   uuid[];
  v_ageing    boolean;
  v_event_ids text := molva.uuid_batch(p_now);
begin
  if v_ready = '{}' or p_limit <= 0 then
    return;
  end if;
  -- Separate statements: the queries below must see the state after the locks were taken, not before.
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.rate_rps > 0
    and (g.platform, g.rate_group) in (
      select c.platform, c.rate_group from delivery.channels c
      where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready))
  order by g.platform, g.rate_group
  for no key update;
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready)
  order by c.channel_id
  for no key update;

  -- What is still claimed after this may start if its channel has a free place.
  select array_agg(c.channel_id) filter (where delivery.block_of(c, w, g, p_now) is not null),
    bool_or(c.max_age_seconds is not null)
  into v_blocked, v_ageing
  from delivery.channels c
  join workspaces.workspaces w using (workspace_id)
  left join delivery.platform_limits g using (workspace_id, platform, rate_group)
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready);
  if v_blocked is not null then
    perform delivery.release_blocked(p_workspace_id, v_blocked, p_now);
  end if;
  if v_ageing and delivery.release_stale(p_workspace_id, v_ready, p_now) > 0 then
    perform delivery.expire_stale(p_workspace_id, v_ready, p_now);
  end if;

  return query
  with free_channels as materialized (
    select c.channel_id, c.platform, c.rate_group, c.target_id, c.send_mode, c.settings, c.unknown_policy, b.secret_ref,
      c.last_started_at + p.gap as opens_at, 1000 / nullif(c.rate_rps, 0) as gap_ms,
      p.group_gap, greatest(p_now, g.last_started_at + p.group_gap) as group_opens_at,
      least(p_limit, greatest(0, case
        when c.last_started_at + p.gap > p_until or g.last_started_at + p.group_gap > p_until then 0
        when c.rate_rps > 0 then least(1, c.max_parallel - coalesce(s.now_sending, 0))
        else c.max_parallel - coalesce(s.now_sending, 0)
      end)) as room
    from delivery.channels c
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    cross join lateral (select
      case when c.rate_rps > 0 then delivery.start_gap(c.rate_rps) end,
      case when g.rate_rps > 0 then delivery.start_gap(g.rate_rps) end) as p (gap, group_gap)
    left join delivery.sending_now(p_workspace_id) s using (channel_id)
    left join delivery.channel_auth a using (workspace_id, channel_id)
    left join workspaces.credential_bindings b
      on b.workspace_id = p_workspace_id and b.auth_ref = coalesce(a.auth_ref, c.auth_ref) and b.platform = c.platform
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready)
  ),
  ready as materialized (
    select f.channel_id, f.platform, f.rate_group, f.group_gap, f.group_opens_at, r.row_id, r.delivery_id, r.not_before,
      greatest(p_now, r.not_before, f.opens_at) as own_departure
    from free_channels f
    cross join lateral (
      select d.ctid as row_id, d.delivery_id, d.not_before
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = f.channel_id
        and d.status = 'claimed' and d.not_before <= p_until and d.held_at is null
      order by d.not_before, d.delivery_id
      limit f.room
      for update skip locked
    ) r
    order by r.not_before, r.delivery_id
    limit p_limit
  ),
  in_groups as (
    -- The later of its own time and one gap after the previous one in the group, calculated for all of them at once, from the
    -- time that each would give to the first one.
    select r.row_id, r.place * r.group_gap
      + max(greatest(r.own_departure, r.group_opens_at) - r.place * r.group_gap)
          over (partition by r.platform, r.rate_group order by r.place) as departs_at
    from (
      select r.*, row_number() over (
        partition by r.platform, r.rate_group order by r.own_departure, r.not_before, r.delivery_id) as place
      from ready r
      where r.group_gap is not null
    ) r
  ),
  started as (
    update delivery.deliveries d
    set status = 'sending', attempt = d.attempt + 1, sending_started_at = p_now,
        claim_token = p_run_id || ':' || d.delivery_id || ':' || d.attempt, updated_at = p_now
    from (
      select r.row_id, r.own_departure as departs_at from ready r where r.group_gap is null
      union all
      select r.row_id, r.departs_at from in_groups r where r.departs_at <= p_until
    ) r
    -- The rows are locked, so their ctid does not change.
    where d.ctid = r.row_id
    returning d.delivery_id, d.claim_token, d.attempt, d.message_id, d.channel_id, d.rendered_text, d.render_meta, d.last_error, d.created_at,
      d.trace_id, d.addressed, d.not_before, r.departs_at
  ),
  paced as (
    update delivery.channels c set last_started_at = s.departs_at
    from started s
    where c.workspace_id = p_workspace_id and c.channel_id = s.channel_id and c.rate_rps > 0
  ),
  paced_groups as (
    update delivery.platform_limits g set last_started_at = s.last
    from (
      select f.platform, f.rate_group, max(s.departs_at) as last
      from started s join free_channels f using (channel_id) where f.group_gap is not null group by 1, 2
    ) s
    where g.workspace_id = p_workspace_id and g.platform = s.platform and g.rate_group = s.rate_group
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuid_at(v_event_ids, row_number() over ()), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '1 microsecond', 'send_attempt', s.attempt, 'ok',
      jsonb_build_object('idempotency_key', s.delivery_id, 'run_id', p_run_id, 'trace_id', s.trace_id)
    from started s
  )
  select p_workspace_id, s.delivery_id, s.claim_token, s.attempt, s.message_id, s.channel_id, f.platform,
    delivery.chat_of_target(f.platform, f.target_id), f.send_mode, f.settings, f.secret_ref, f.unknown_policy,
    -- A compiled post is sent as it is; the post itself is needed only if it was not compiled at enqueue.
    case when not s.render_meta ? 'compiled' then (
      select m.payload from delivery.messages m
      where m.workspace_id = p_workspace_id and m.message_id = s.message_id) end,
    s.rendered_text, s.render_meta, s.last_error, s.created_at, s.trace_id, s.departs_at, f.gap_ms::float8,
    case when s.addressed then delivery.waited_for_until(p_workspace_id, s.delivery_id) end
  from started s
  join free_channels f using (channel_id)
  order by s.not_before, s.delivery_id;
end
$$;

-- How many sends of each channel are in progress, including corrections. Deliveries are read in the order of deliveries_due
-- and without a sort, so that this index is used, whatever statistics the planner has.
create or replace function delivery.sending_now(p_workspace_id uuid) returns table (channel_id uuid, now_sending bigint)
language sql stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  select s.channel_id, count(*)
  from (
    (select d.channel_id from delivery.deliveries d
     where d.workspace_id = p_workspace_id and d.status = 'sending'
     order by d.not_before, d.next_retry_at
     offset 0)
    union all
    (select c.channel_id from delivery.corrections c
     where c.workspace_id = p_workspace_id and c.status = 'sending'
     order by c.channel_id
     offset 0)
  ) s
  group by 1
$$;

-- For batches in which not everything was simply sent: every outcome is decided, then its delivery, its channel and its rate
-- group are changed.
create or replace function delivery.settle_mixed(p_workspace_id uuid, p_outcomes jsonb, p_now timestamptz default now())
returns setof delivery.settled_delivery
language plpgsql as $$
declare
  -- The rows are looked up by this list, whatever statistics the planner has.
  v_ids    uuid[] := array(select (o ->> 'delivery_id')::uuid from jsonb_array_elements(p_outcomes) as o);
  v_judged delivery.judged_outcome[];
begin
  perform delivery.lock_channels_of(p_workspace_id, v_ids);
  v_judged := delivery.judge_outcomes(p_workspace_id, v_ids, p_outcomes, p_now);

  update delivery.deliveries d
  set status = j.new_status,
      sent_at = case j.new_status when 'sent' then p_now else d.sent_at end,
      provider_message_id = coalesce(j.provider_message_id, d.provider_message_id),
      provider_meta = coalesce(j.meta, d.provider_meta),
      last_error = j.error,
      next_retry_at = case j.new_status when 'retry' then j.retry_at end,
      claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now
  from unnest(v_judged) as j
  where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids) and d.delivery_id = j.delivery_id;

  perform delivery.note_outcomes(p_workspace_id, v_judged, p_now);
  perform delivery.judge_channels(p_workspace_id, v_judged, p_now);
  perform delivery.cool_groups(p_workspace_id, v_judged, p_now);

  return query
  select o.id, j.delivery_id is not null, j.new_status, case j.new_status when 'retry' then j.retry_at end
  from unnest(v_ids) as o (id)
  left join (select distinct on (k.delivery_id) k.* from unnest(v_judged) as k) j on j.delivery_id = o.id;
end
$$;

-- Locks the groups and channels that may change first, in the common order.
create or replace function delivery.lock_channels_of(p_workspace_id uuid, p_delivery_ids uuid[]) returns void
language plpgsql as $$
declare
  v_channels uuid[] := array(
    select d.channel_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids));
begin
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and (g.platform, g.rate_group) in (
    select c.platform, c.rate_group from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_channels))
  order by g.platform, g.rate_group
  for no key update;
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_channels)
  order by c.channel_id
  for no key update;
end
$$;

-- Writes the events of each outcome, in their order: events of one instant are a microsecond apart to keep it.
create or replace function delivery.note_outcomes(p_workspace_id uuid, p_judged delivery.judged_outcome[], p_now timestamptz)
returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, payload_ref, meta)
  select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, j.channel_id,
    p_now + e.place * interval '1 microsecond', e.action, j.attempt, e.result, j.error, case e.place when 4 then j.payload_ref end, e.meta
  from unnest(p_judged) as j
  cross join lateral (
    select 2, 'reconciled_' || j.reconciled, 'ok', '{}'::jsonb where j.reconciled is not null
    union all
    select 3, 'outcome_unknown', 'error', '{}' where j.kind = 'unknown'
    union all
    select 4, case j.new_status when 'sent' then 'sent' when 'retry' then 'retry_scheduled'
             when 'dead' then 'dead_letter' else 'failed_permanent' end,
           case j.new_status when 'sent' then 'ok' else 'error' end,
           jsonb_strip_nulls(jsonb_build_object(
             'provider_message_id', j.provider_message_id,
             'next_retry_at', case j.new_status when 'retry' then j.retry_at end,
             'reason', case j.new_status when 'dead' then 'max_attempts' end))
  ) as e (place, action, result, meta)
$$;

-- A rate group pauses when its provider asked for it: for the longest time in the batch, as if the outcomes had come one by
-- one.
create or replace function delivery.cool_groups(p_workspace_id uuid, p_judged delivery.judged_outcome[], p_now timestamptz)
returns void
language sql as $$
  insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
  select p_workspace_id, c.platform, c.rate_group,
    p_now + max(coalesce(make_interval(secs => (j.error ->> 'retry_after_ms')::float8 / 1000), interval '30 seconds')), p_now
  from unnest(p_judged) as j
  join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = j.channel_id
  where j.error ->> 'scope' = 'platform'
    and (j.error ->> 'category' = 'PERMANENT' or j.error ->> 'retry_after_ms' is not null)
  group by 2, 3
  on conflict (workspace_id, platform, rate_group) do update
    set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
$$;

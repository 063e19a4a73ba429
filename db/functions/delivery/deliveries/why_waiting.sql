-- The reason for a delivery that waits: queued, retry or claimed. The order of the checks is the order of delivery.why.
create or replace function delivery.why_waiting(
  p_delivery      delivery.deliveries,
  p_channel       delivery.channels,
  p_claimed_lease interval,
  p_now           timestamptz default now()
) returns table (reason text, since timestamptz, expected_at timestamptz, details jsonb)
language plpgsql stable as $$
declare
  v_claimed  constant boolean := p_delivery.status = 'claimed';
  v_own_time constant timestamptz := case when v_claimed then p_delivery.not_before else p_delivery.due_at end;
  v_block    constant text := delivery.delivery_block(p_delivery, p_channel, p_now);
  v_ahead    bigint;
  v_group    bigint;
  v_earlier  bigint;
  v_turn     timestamptz;
  v_free     timestamptz;
  v_lasting  text;
  v_sending  bigint;
  v_gone     record;
begin
  details := delivery.attempts_of(p_delivery) || jsonb_strip_nulls(jsonb_build_object(
    'error', delivery.error_of(p_delivery.last_error),
    'addressed', delivery.addressed_facts(p_delivery),
    'stale_at', coalesce(p_delivery.scheduled_for, p_delivery.created_at) + make_interval(secs => p_channel.max_age_seconds)));

  if p_delivery.held_at is not null then
    reason := 'held';
    since := p_delivery.held_at;
    details := details || jsonb_build_object('hold_reason', p_delivery.hold_reason);
    return next;
    return;
  end if;

  select f.free_at, f.lasting into v_free, v_lasting
  from delivery.next_free(p_delivery, p_channel, greatest(p_now, v_own_time)) f;
  if v_lasting is not null then
    reason := v_lasting;
    select b.since, why_waiting.details || b.details into since, details
    from delivery.block_facts(v_lasting, p_channel, p_now) b;
    return next;
    return;
  end if;

  select q.ahead, q.group_ahead, q.claimed_ahead, q.turn_at into v_ahead, v_group, v_earlier, v_turn
  from delivery.queue_place(p_delivery, p_channel, p_now) q;
  if not v_claimed then
    details := details || jsonb_strip_nulls(jsonb_build_object('ahead', v_ahead, 'group_ahead', v_group));
  end if;
  -- At the time that the pace gives, the channel may be blocked again.
  select coalesce(f.free_at, v_free) into expected_at
  from delivery.next_free(p_delivery, p_channel, greatest(v_free, v_turn)) f;

  if v_block is not null and delivery.block_ends_at(v_block, p_channel, p_now) >= v_own_time then
    reason := v_block;
    select b.since, why_waiting.details || b.details into since, details
    from delivery.block_facts(v_block, p_channel, p_now) b;

  elsif v_own_time > p_now then
    reason := case
      when v_claimed then 'waiting_for_slot'
      when p_delivery.status = 'queued' then 'scheduled'
      when p_delivery.last_error ->> 'code' = 'outcome_unknown' then 'outcome_unknown'
      else 'retry_wait'
    end;
    since := coalesce(p_delivery.claimed_at, p_delivery.updated_at);
    details := details || jsonb_build_object('due_at', v_own_time);

  elsif v_claimed and p_delivery.claimed_at + p_claimed_lease <= p_now then
    reason := 'lease_expired';
    since := p_delivery.claimed_at + p_claimed_lease;
    details := details || jsonb_build_object(
      'lease_until', since, 'run_id', p_delivery.claim_token, 'status', 'claimed');

  elsif delivery.nobody_dispatches(p_delivery, p_channel, p_now) then
    reason := 'dispatcher_not_running';
    since := v_own_time;
    expected_at := null;

  elsif v_turn > p_now then
    reason := 'rate_gate';
    since := v_own_time;
    details := details || jsonb_build_object('rate_rps', p_channel.rate_rps);

  else
    since := v_own_time;
    v_sending := delivery.channel_sending(p_delivery.workspace_id, p_delivery.channel_id);
    -- Deliveries before it take the free places.
    if v_sending + v_earlier + v_ahead >= p_channel.max_parallel then
      select g.since, g.taken_over_at into v_gone
      from delivery.deliveries s
      cross join lateral delivery.run_gone(s.claim_token, p_now) g
      where s.workspace_id = p_delivery.workspace_id and s.status = 'sending' and s.channel_id = p_delivery.channel_id
      order by g.since limit 1;
      if found then
        reason := 'process_gone';
        since := v_gone.since;
        expected_at := greatest(expected_at, v_gone.taken_over_at);
      else
        reason := 'max_parallel';
      end if;
      details := details || jsonb_build_object('sending', v_sending, 'max_parallel', p_channel.max_parallel);
    else
      reason := 'ready';
    end if;
  end if;
  return next;
end
$$;

-- Goes from the end of one block to the next, beginning at p_now, until nothing blocks the delivery any more. `lasting` is a
-- block that only a person ends, if there is one on the way; then `free_at` is null.
create or replace function delivery.next_free(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamptz default now(),
  out free_at timestamptz, out lasting text
)
language plpgsql stable as $$
begin
  free_at := p_now;
  loop
    lasting := delivery.delivery_block(p_delivery, p_channel, free_at);
    exit when lasting is null;
    free_at := delivery.block_ends_at(lasting, p_channel, free_at);
    exit when free_at is null;
  end loop;
end
$$;

-- Since when a block is active, and its details for operators.
create or replace function delivery.block_facts(
  p_block text, p_channel delivery.channels, p_now timestamptz default now(), out since timestamptz, out details jsonb
)
language plpgsql stable as $$
begin
  if p_block like 'workspace\_%' then
    select w.updated_at, '{}' into since, details from workspaces.workspaces w
    where w.workspace_id = p_channel.workspace_id;
  elsif p_block = 'group_cooldown' then
    select g.updated_at, jsonb_build_object(
      'platform', g.platform, 'rate_group', g.rate_group, 'cooldown_until', g.cooldown_until)
    into since, details
    from delivery.platform_limits g
    where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
      and g.rate_group = p_channel.rate_group;
  elsif p_block in ('channel_paused', 'channel_disabled') then
    select s.since, jsonb_strip_nulls(jsonb_build_object(
      'paused_until', case p_block when 'channel_paused' then p_channel.paused_until end,
      'error_streak', p_channel.error_streak, 'error', s.error,
      'stopped_by', s.stopped_by, 'operator', s.operator, 'stop_reason', s.reason, 'help', s.help))
    into since, details
    from delivery.channel_stop(p_channel, p_now) s;
  elsif p_block = 'window_closed' then
    details := jsonb_strip_nulls(jsonb_build_object(
      'opens_at', delivery.block_ends_at(p_block, p_channel, p_now), 'timezone', p_channel.timezone));
  end if;
  since := coalesce(since, p_channel.updated_at);
  details := coalesce(details, '{}');
end
$$;

-- Whether the delivery could have been claimed for half a minute while no dispatcher did anything in the workspace.
create or replace function delivery.nobody_dispatches(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamptz default now()
) returns boolean
language sql stable as $$
  select greatest(
      case p_delivery.status when 'claimed' then p_delivery.not_before else p_delivery.due_at end,
      p_delivery.updated_at, p_channel.updated_at, w.updated_at,
      case when p_channel.rate_rps > 0 then p_channel.next_allowed_at end,
      case when g.rate_rps > 0 then g.next_allowed_at end) <= p.long_ago
    and delivery.delivery_block(p_delivery, p_channel, p.long_ago) is null
    and not exists (
      select from workspaces.events e
      where e.workspace_id = p_delivery.workspace_id and e.action = 'send_attempt' and e.ts > p.long_ago)
    and not exists (
      select from delivery.deliveries d
      where d.workspace_id = p_delivery.workspace_id and d.status in ('claimed', 'sending')
        and coalesce(d.sending_started_at, d.claimed_at) > p.long_ago
        and split_part(d.claim_token, ':', 1) <> all (delivery.missing_runs()))
  from (select p_now - interval '30 seconds' as long_ago) p
  join workspaces.workspaces w on w.workspace_id = p_delivery.workspace_id
  left join delivery.platform_limits g
    on g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform and g.rate_group = p_channel.rate_group
$$;

create or replace function delivery.settle_mixed(p_workspace_id uuid, p_outcomes jsonb, p_now timestamptz default now())
returns table (delivery_id uuid, applied boolean, status text, next_retry_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  c_cooldown constant interval := interval '30 seconds';
  -- The rows are looked up by this list, whatever the planner knows of the table.
  v_ids      uuid[] := array(select (o ->> 'delivery_id')::uuid from jsonb_array_elements(p_outcomes) as o);
  v_channels uuid[];
  v_policy   record;
begin
  select * into v_policy from delivery.workspace_policy(p_workspace_id);
  -- Groups and channels that may change are locked first, in order, as everybody does.
  v_channels := array(
    select d.channel_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids));
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

  return query
  with outcomes as materialized (
    select (o ->> 'delivery_id')::uuid as delivery_id, o ->> 'token' as token, o ->> 'kind' as kind,
      o ->> 'provider_message_id' as provider_message_id, o -> 'meta' as meta, o ->> 'reconciled' as reconciled,
      o ->> 'payload_ref' as payload_ref, make_interval(secs => (o ->> 'late_ms')::float8 / 1000) as late,
      (o ->> 'next_retry_at')::timestamptz as next_retry_at,
      workspaces.redact(case when o ->> 'kind' = 'unknown'
        then (o -> 'error') || jsonb_build_object('code', 'outcome_unknown', 'category', 'TRANSIENT',
                                                  'cause', o #>> '{error,code}')
        else o -> 'error'
      end) as error
    from jsonb_array_elements(p_outcomes) as o
  ),
  judged as materialized (
    select d.delivery_id, d.channel_id, d.message_id, d.attempt, o.kind, o.error, o.provider_message_id, o.meta, o.reconciled,
      o.payload_ref, o.late,
      case
        when o.kind = 'sent' then 'sent'
        when o.error ->> 'category' = 'PERMANENT' then 'failed_permanent'
        when d.attempt >= v_policy.max_attempts + d.requeues then 'dead'
        else 'retry'
      end as new_status,
      coalesce(o.next_retry_at, p_now + delivery.retry_delay(
        d.attempt, o.error, random(), v_policy.backoff_base_seconds, v_policy.backoff_max_seconds)) as retry_at
    from outcomes o
    join delivery.deliveries d using (delivery_id)
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids)
      and (d.status = 'sending') is true and d.claim_token = o.token
    for update of d
  ),
  settled as (
    update delivery.deliveries d
    set status = j.new_status,
        sent_at = case j.new_status when 'sent' then p_now else d.sent_at end,
        provider_message_id = coalesce(j.provider_message_id, d.provider_message_id),
        provider_meta = coalesce(j.meta, d.provider_meta),
        last_error = j.error,
        next_retry_at = case j.new_status when 'retry' then j.retry_at end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now
    from judged j
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids) and d.delivery_id = j.delivery_id
    returning d.delivery_id, d.status, d.next_retry_at
  ),
  -- One verdict per channel: a channel-scoped refusal counts once per delivery, a success clears the streak.
  verdicts as (
    select j.channel_id,
      bool_or(j.new_status = 'sent') as any_sent,
      count(*) filter (where j.new_status = 'failed_permanent' and j.error ->> 'scope' = 'channel') as refusals,
      max(j.error ->> 'migrate_to') as migrate_to, max(j.late) filter (where j.error ->> 'migrate_to' is null) as late
    from judged j group by 1
  ),
  channels_changed as (
    update delivery.channels c
    set error_streak = case when v.refusals > 0 then c.error_streak + v.refusals when v.any_sent then 0 else c.error_streak end,
        paused_until = case when v.refusals > 0 then greatest(c.paused_until, p_now + make_interval(
                         secs => coalesce(c.pause_on_permanent_seconds, v_policy.pause_on_permanent_seconds)))
                         else c.paused_until end,
        enabled = c.enabled and not (v.refusals > 0 and c.error_streak + v.refusals >=
                    coalesce(c.disable_after_permanent_streak, v_policy.disable_after_permanent_streak)),
        target_id = coalesce(v.migrate_to, c.target_id),
        last_started_at = c.last_started_at + coalesce(v.late, interval '0'),
        updated_at = p_now
    from verdicts v
    where c.workspace_id = p_workspace_id and c.channel_id = v.channel_id
      and (v.refusals > 0 or v.late is not null or (v.any_sent and c.error_streak > 0) or (v.migrate_to is not null and (c.allow_duplicate or not exists (
            select from delivery.channels o
            where o.workspace_id = p_workspace_id and o.platform = c.platform and o.target_id = v.migrate_to))))
    returning c.channel_id, c.error_streak, c.enabled, c.paused_until, v.refusals, v.migrate_to
  ),
  cooldowns as (
    insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
    -- The longest of the batch, as if they had come one by one.
    select p_workspace_id, c.platform, c.rate_group,
      p_now + max(coalesce(make_interval(secs => (j.error ->> 'retry_after_ms')::float8 / 1000), c_cooldown)), p_now
    from judged j
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = j.channel_id
    where j.error ->> 'scope' = 'platform'
      and (j.error ->> 'category' = 'PERMANENT' or j.error ->> 'retry_after_ms' is not null)
    group by 2, 3
    on conflict (workspace_id, platform, rate_group) do update
      set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, payload_ref, meta)
    -- Events of one instant keep their order by a microsecond each.
    select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, j.channel_id,
      p_now + e.place * interval '1 microsecond', e.action, j.attempt, e.result, j.error, case e.place when 4 then j.payload_ref end, e.meta
    from judged j
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
    union all
    select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, x.channel_id,
      p_now + a.place * interval '1 microsecond', a.action, j.attempt, 'error', j.error, null,
      jsonb_strip_nulls(jsonb_build_object('error_streak', x.error_streak, 'paused_until', x.paused_until,
                                           'target_id', case a.place when 7 then x.migrate_to end))
    from channels_changed x
    join lateral (
      select * from judged where judged.channel_id = x.channel_id and judged.error ->> 'scope' = 'channel' limit 1
    ) j on true
    cross join lateral (
      select 5, 'channel_paused' where x.refusals > 0
      union all
      select 6, 'channel_disabled' where x.refusals > 0 and not x.enabled
      union all
      select 7, 'channel_migrated' where x.migrate_to is not null
    ) as a (place, action)
  )
  select o.delivery_id, s.delivery_id is not null, s.status, s.next_retry_at
  from outcomes o
  left join settled s using (delivery_id);
end
$$;

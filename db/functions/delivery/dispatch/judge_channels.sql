-- One decision per channel: a channel-scoped refusal counts once per delivery and pauses or disables the channel, a success
-- resets the count. A connection is not paused: it has failed until its owner renews it, and the owner learns of it with the
-- end of the post. A chat that moved continues under its new id, unless another channel has that; a late request delays the
-- next one.
create or replace function delivery.judge_channels(p_workspace_id uuid, p_judged delivery.judged_outcome[], p_now timestamptz)
returns void
language plpgsql as $$
declare
  v_policy record;
begin
  select * into v_policy from delivery.workspace_policy(p_workspace_id);
  with verdicts as (
    select j.channel_id,
      bool_or(j.new_status = 'sent') as any_sent,
      count(*) filter (where j.new_status = 'failed_permanent' and j.error ->> 'scope' = 'channel') as refusals,
      (array_agg(j.error) filter (where j.new_status = 'failed_permanent' and j.error ->> 'scope' = 'channel'))[1] as refusal,
      max(j.error ->> 'migrate_to') as migrate_to, max(j.late) filter (where j.error ->> 'migrate_to' is null) as late
    from unnest(p_judged) as j group by 1
  ),
  changed as (
    update delivery.channels c
    set error_streak = case when v.refusals > 0 then c.error_streak + v.refusals when v.any_sent then 0 else c.error_streak end,
        paused_until = case when v.refusals > 0 and not c.addressed_only then greatest(c.paused_until, p_now + make_interval(
                         secs => coalesce(c.pause_on_permanent_seconds, v_policy.pause_on_permanent_seconds)))
                         else c.paused_until end,
        connection_state = case when v.refusals > 0 and c.addressed_only then 'error' else c.connection_state end,
        connection_error = case when v.refusals > 0 and c.addressed_only then delivery.error_of(v.refusal) else c.connection_error end,
        enabled = c.enabled and not (v.refusals > 0 and not c.addressed_only and c.error_streak + v.refusals >=
                    coalesce(c.disable_after_permanent_streak, v_policy.disable_after_permanent_streak)),
        target_id = coalesce(v.migrate_to, c.target_id),
        last_started_at = c.last_started_at + coalesce(v.late, interval '0'),
        updated_at = p_now
    from verdicts v
    where c.workspace_id = p_workspace_id and c.channel_id = v.channel_id
      and (v.refusals > 0 or v.late is not null or (v.any_sent and c.error_streak > 0)
        or (v.migrate_to is not null and (c.allow_duplicate or c.addressed_only or not exists (
            select from delivery.channels o
            where o.workspace_id = p_workspace_id and o.platform = c.platform and o.target_id = v.migrate_to
              and not o.addressed_only))))
    returning c.channel_id, c.error_streak, c.enabled, c.paused_until, c.addressed_only, v.refusals, v.migrate_to
  )
  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
  select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, x.channel_id,
    p_now + a.place * interval '1 microsecond', a.action, j.attempt, 'error', j.error,
    jsonb_strip_nulls(jsonb_build_object('error_streak', x.error_streak, 'paused_until', x.paused_until,
                                         'target_id', case a.place when 7 then x.migrate_to end))
  from changed x
  join lateral (
    select * from unnest(p_judged) as o where o.channel_id = x.channel_id and o.error ->> 'scope' = 'channel' limit 1
  ) j on true
  cross join lateral (
    select 5, case when x.addressed_only then 'connection_failed' else 'channel_paused' end where x.refusals > 0
    union all
    select 6, 'channel_disabled' where x.refusals > 0 and not x.enabled
    union all
    select 7, 'channel_migrated' where x.migrate_to is not null
  ) as a (place, action);

  -- Uses channels_failed_connections, which is nearly always empty.
  perform delivery.connection_works(p_workspace_id, c.channel_id, 'sent', p_now)
  from delivery.channels c
  where c.workspace_id = p_workspace_id and c.connection_state = 'error' and c.channel_id in (
    select j.channel_id from unnest(p_judged) as j
    group by 1 having bool_or(j.new_status = 'sent')
      and not bool_or(j.new_status = 'failed_permanent' and j.error ->> 'scope' = 'channel'));
end
$$;

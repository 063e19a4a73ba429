-- Why a correction has not been made (yet): exactly one reason, since when it applies, and when the correction is expected,
-- if that is known. An ended one says how it ended; a waiting one has the first of these: waiting_for_post, the channel's
-- block, retry_wait or outcome_unknown, rate_gate, max_parallel, ready.
create or replace function delivery.why_correction(
  p_correction delivery.corrections, p_now timestamptz default now(), p_sending_lease interval default interval '300 seconds'
) returns table (reason text, since timestamptz, expected_at timestamptz, details jsonb)
language plpgsql stable as $$
declare
  v_delivery delivery.deliveries;
  v_channel  delivery.channels;
  v_block    text;
  v_ends     timestamptz;
  v_gone     record;
  v_opens    timestamptz;
begin
  details := jsonb_strip_nulls(jsonb_build_object(
    'attempt', nullif(p_correction.attempt, 0), 'error', delivery.error_of(p_correction.last_error)));
  if p_correction.ended_at is not null then
    reason := p_correction.status;
    since := p_correction.ended_at;
    return next;
    return;
  end if;
  if p_correction.status = 'sending' then
    select g.since, g.taken_over_at into v_gone from delivery.run_gone(p_correction.claim_token, p_now) g;
    v_ends := p_correction.sending_started_at + p_sending_lease;
    reason := case when v_gone.taken_over_at is not null then 'process_gone' when v_ends > p_now then 'sending' else 'lease_expired' end;
    since := coalesce(v_gone.since, case when v_ends > p_now then p_correction.sending_started_at else v_ends end);
    expected_at := greatest(p_now, least(v_ends, v_gone.taken_over_at));
    return next;
    return;
  end if;
  select * into strict v_delivery from delivery.deliveries d
  where d.workspace_id = p_correction.workspace_id and d.delivery_id = p_correction.delivery_id;
  select * into strict v_channel from delivery.channels c
  where c.workspace_id = p_correction.workspace_id and c.channel_id = p_correction.channel_id;
  select delivery.correction_block(v_channel, w, g, p_now), greatest(
      p_now, p_correction.due_at,
      case when v_channel.rate_rps > 0 then v_channel.last_started_at + delivery.start_gap(v_channel.rate_rps) end,
      case when g.rate_rps > 0 then g.last_started_at + delivery.start_gap(g.rate_rps) end)
  into v_block, v_opens
  from workspaces.workspaces w
  left join delivery.platform_limits g
    on g.workspace_id = v_channel.workspace_id and g.platform = v_channel.platform and g.rate_group = v_channel.rate_group
  where w.workspace_id = p_correction.workspace_id;
  since := greatest(p_correction.created_at, p_correction.due_at);
  expected_at := v_opens;
  if v_delivery.status <> 'sent' then
    reason := 'waiting_for_post';
    since := p_correction.created_at;
    expected_at := null;
  elsif v_block is not null then
    reason := v_block;
    v_ends := delivery.block_ends_at(v_block, v_channel, p_now);
    expected_at := case when v_ends is not null then greatest(v_opens, v_ends) end;
    select b.since, why_correction.details || b.details into since, details from delivery.block_facts(v_block, v_channel, p_now) b;
  elsif p_correction.due_at > p_now then
    reason := case p_correction.last_error ->> 'code' when 'outcome_unknown' then 'outcome_unknown' else 'retry_wait' end;
    since := p_correction.updated_at;
    details := details || jsonb_build_object('due_at', p_correction.due_at);
  elsif v_opens > p_now then
    reason := 'rate_gate';
  elsif delivery.channel_sending(p_correction.workspace_id, p_correction.channel_id) >= v_channel.max_parallel then
    reason := 'max_parallel';
  else
    reason := 'ready';
  end if;
  return next;
end
$$;

-- Stores the outcomes of a batch of attempts at corrections. Each element of `p_outcomes`:
--   {"correction_id", "token", "kind": "sent", "message_ids", "meta"}
--   {"correction_id", "token", "kind": "failed" | "unknown", "error": {category, scope, code, message, retry_after_ms?}}
-- "late_ms" and "payload_ref" are as in settle_deliveries. Returns one row for each; applied = false if the token is not valid
-- any more, and then nothing was changed.
create or replace function delivery.settle_corrections(
  p_workspace_id uuid, p_outcomes jsonb, p_now timestamptz default now()
) returns table (correction_id uuid, delivery_id uuid, applied boolean, status text, next_retry_at timestamptz)
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  v_ids    constant uuid[] := array(select (o ->> 'correction_id')::uuid from jsonb_array_elements(p_outcomes) as o);
  v_posts  constant uuid[] := array(
    select c.delivery_id from delivery.corrections c where c.workspace_id = p_workspace_id and c.correction_id = any (v_ids));
  v_judged delivery.judged_outcome[] := '{}';
  v_policy record;
  v_given  record;
  v_row    delivery.corrections;
  v_newer  boolean;
begin
  if jsonb_path_exists(p_outcomes, '$[*] ? (!(@.kind == "sent" || @.kind == "failed" || @.kind == "unknown"))') then
    raise exception 'an outcome''s kind is sent, failed or unknown' using errcode = 'invalid_parameter_value';
  end if;
  perform delivery.lock_channels_of(p_workspace_id, v_posts);
  perform from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = any (v_posts) order by d.delivery_id for update;
  select * into v_policy from delivery.workspace_policy(p_workspace_id);

  for v_given in
    select (o ->> 'correction_id')::uuid as id, o ->> 'token' as token, o ->> 'kind' as kind, o -> 'meta' as meta,
      o ->> 'payload_ref' as payload_ref, make_interval(secs => (o ->> 'late_ms')::float8 / 1000) as late,
      case when jsonb_typeof(o -> 'message_ids') = 'array'
        then array(select jsonb_array_elements_text(o -> 'message_ids')) end as message_ids,
      delivery.correction_error(o) as error
    from jsonb_array_elements(p_outcomes) as o
  loop
    correction_id := v_given.id;
    applied := false;
    status := null;
    next_retry_at := null;
    select * into v_row from delivery.corrections c
    where c.workspace_id = p_workspace_id and c.correction_id = v_given.id and c.status = 'sending' and c.claim_token = v_given.token
    for update;
    delivery_id := v_row.delivery_id;
    if v_row.correction_id is null then
      return next;
      continue;
    end if;
    applied := true;
    status := case
      when v_given.kind = 'sent' then 'done'
      when v_given.error ->> 'category' = 'PERMANENT' then 'failed_permanent'
      when v_row.attempt >= v_policy.max_attempts then 'dead'
      else 'retry' end;
    if status = 'retry' then
      next_retry_at := p_now + delivery.retry_delay(
        v_row.attempt, v_given.error, random(), v_policy.backoff_base_seconds, v_policy.backoff_max_seconds);
    end if;
    v_newer := delivery.hold_newer_correction(v_row, next_retry_at, p_now);
    if v_newer and status = 'retry' then
      status := 'superseded';
      next_retry_at := null;
    end if;
    update delivery.corrections c
    set status = settle_corrections.status, due_at = coalesce(settle_corrections.next_retry_at, c.due_at),
        last_error = v_given.error, provider_message_ids = v_given.message_ids, provider_meta = v_given.meta,
        claim_token = null, sending_started_at = null, updated_at = p_now,
        ended_at = case when settle_corrections.status <> 'retry' then p_now end
    where c.workspace_id = p_workspace_id and c.correction_id = v_given.id
    returning * into v_row;
    if status = 'done' and v_row.kind = 'remove' then
      update delivery.deliveries d set withdrawn_at = p_now, updated_at = p_now
      where d.workspace_id = p_workspace_id and d.delivery_id = v_row.delivery_id;
    end if;
    if status = 'done' then
      perform delivery.page_after_correction(v_row, p_now);
    end if;
    perform delivery.note_correction_end(v_row, v_given.kind, v_given.payload_ref, p_now);
    v_judged := v_judged || row(
      v_row.delivery_id, v_row.channel_id, v_row.message_id, v_row.attempt, v_given.kind, v_given.error, null, null, null,
      v_given.payload_ref, v_given.late, 'corrected', next_retry_at)::delivery.judged_outcome;
    return next;
  end loop;
  -- The error of an old post says nothing about new ones: it does not pause a channel, and a success does not reset its count
  -- of refusals. Waits that the provider asked for and moved chats apply to all.
  perform delivery.judge_channels(p_workspace_id, v_judged, p_now);
  perform delivery.cool_groups(p_workspace_id, v_judged, p_now);
end
$$;

-- The error of an outcome in the form in which it is stored.
create or replace function delivery.correction_error(p_outcome jsonb) returns jsonb
language sql immutable parallel safe as $$
  select workspaces.redact(case when p_outcome ->> 'kind' = 'unknown'
    then (p_outcome -> 'error') || jsonb_build_object(
      'code', 'outcome_unknown', 'category', 'TRANSIENT', 'cause', p_outcome #>> '{error,code}')
    else p_outcome -> 'error' end)
$$;

-- Whether a newer correction of the same delivery waits. It does not start before the older one's next attempt would have
-- been due: a request that timed out may still arrive, and would replace the newer text with the older one.
create or replace function delivery.hold_newer_correction(
  p_correction delivery.corrections, p_until timestamptz, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update delivery.corrections c set due_at = greatest(c.due_at, p_until), updated_at = p_now
  where c.workspace_id = p_correction.workspace_id and c.delivery_id = p_correction.delivery_id
    and c.number > p_correction.number and c.status in ('queued', 'retry');
  return found;
end
$$;

create or replace function delivery.note_correction_end(
  p_correction delivery.corrections, p_kind text, p_payload_ref text, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.correction_event(p_correction, 'correction_unknown', 3, p_correction.last_error, '{}', p_now) where p_kind = 'unknown';
  select delivery.correction_event(p_correction,
    case p_correction.status
      when 'done' then case p_correction.kind when 'edit' then 'corrected' else 'withdrawn' end
      when 'retry' then 'correction_retry' when 'superseded' then 'correction_superseded' else 'correction_failed' end,
    4, p_correction.last_error, jsonb_build_object(
      'next_retry_at', case p_correction.status when 'retry' then p_correction.due_at end,
      'reason', case p_correction.status when 'dead' then 'max_attempts' end), p_now);
  update workspaces.events e set payload_ref = p_payload_ref
  where p_payload_ref is not null and e.workspace_id = p_correction.workspace_id and e.delivery_id = p_correction.delivery_id
    and e.ts = p_now + interval '4 microseconds' and e.meta ->> 'correction_id' = p_correction.correction_id::text;
$$;

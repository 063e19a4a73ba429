-- Writes the event of a send without a delivery, and the wait that its provider asked for. `p_meta` holds the idempotency
-- key, the trace id and the caller.
create or replace function delivery.note_adapter_send(
  p_workspace_id uuid, p_channel_id uuid, p_action text, p_error jsonb, p_payload_ref text, p_meta jsonb,
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, attempt, result, error, payload_ref, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, p_action, 0,
    case when p_error is null then 'ok' else 'error' end, workspaces.redact(p_error), p_payload_ref, workspaces.redact(p_meta));
  insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
  select p_workspace_id, c.platform, c.rate_group,
    p_now + coalesce(make_interval(secs => (p_error ->> 'retry_after_ms')::float8 / 1000), interval '30 seconds'), p_now
  from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and p_error ->> 'scope' = 'platform'
    and (p_error ->> 'category' = 'PERMANENT' or p_error ->> 'retry_after_ms' is not null)
  on conflict (workspace_id, platform, rate_group) do update
    set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
$$;

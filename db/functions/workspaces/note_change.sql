-- Records in the audit trail who changed the configuration, and why. Call it in the transaction of the change. The change may
-- contain a key in a header or an address: it is masked like everything else in the trail.
create or replace function workspaces.note_change(
  p_workspace_id uuid, p_channel_id uuid, p_action text, p_operator text, p_reason text, p_meta jsonb default '{}',
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, p_action, 'ok',
          jsonb_strip_nulls(jsonb_build_object(
            'operator', p_operator, 'reason', workspaces.redact_text(p_reason))) || workspaces.redact(p_meta))
$$;

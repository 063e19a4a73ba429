-- Marks a failed connection as active, because it was renewed or found to work: it takes posts again. Returns whether it had
-- failed.
create or replace function delivery.connection_works(
  p_workspace_id uuid, p_channel_id uuid, p_because text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update delivery.channels c
  set connection_state = 'active', connection_error = null, error_streak = 0, updated_at = p_now
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and c.connection_state = 'error';
  if not found then
    return false;
  end if;
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, 'connection_restored', 'ok',
          jsonb_build_object('because', p_because));
  return true;
end
$$;

-- Stops a channel from sending until a time. Posts are still queued for it.
create or replace function delivery.pause_channel(
  p_workspace_id uuid, p_channel_id uuid, p_until timestamptz, p_operator text, p_reason text,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update delivery.channels set paused_until = p_until, updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id;
  if not found then
    return false;
  end if;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_paused', p_operator, p_reason,
    jsonb_build_object('manual', true, 'paused_until', p_until), p_now);
  return true;
end
$$;

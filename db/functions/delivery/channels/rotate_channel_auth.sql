-- Gives the channel another credential. The lock prevents new sends, so if none is in progress, the switch happens between
-- two sends. Returns 'rotated', or why not: 'not_found', 'unbound' (there is no token with that name), 'sending'.
create or replace function delivery.rotate_channel_auth(
  p_workspace_id uuid, p_channel_id uuid, p_auth_ref text, p_rate_group text, p_operator text, p_reason text,
  p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_channel delivery.channels;
  v_old_ref text;
begin
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  if not found then
    return 'not_found';
  end if;
  if not exists (
    select from workspaces.credential_bindings
    where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = v_channel.platform
  ) then
    return 'unbound';
  end if;
  if exists (
    select from delivery.deliveries
    where workspace_id = p_workspace_id and channel_id = p_channel_id and status = 'sending'
  ) then
    return 'sending';
  end if;

  select coalesce(
    (select auth_ref from delivery.channel_auth where workspace_id = p_workspace_id and channel_id = p_channel_id),
    v_channel.auth_ref) into v_old_ref;
  insert into delivery.channel_auth (workspace_id, channel_id, auth_ref, rotated_at, updated_at)
  values (p_workspace_id, p_channel_id, p_auth_ref, p_now, p_now)
  on conflict (workspace_id, channel_id) do update
    set auth_ref = excluded.auth_ref, rotated_at = excluded.rotated_at, updated_at = excluded.updated_at;
  update delivery.channels
  set auth_ref = p_auth_ref, rate_group = coalesce(p_rate_group, rate_group), updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id;
  perform delivery.connection_works(p_workspace_id, p_channel_id, 'credential', p_now);
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'auth_rotated', p_operator, p_reason,
    jsonb_build_object('old_auth_ref', v_old_ref, 'new_auth_ref', p_auth_ref), p_now);
  return 'rotated';
end
$$;

-- Returns whether there was one, and fails while it is in use: each module may define
-- `credential_users(workspace_id, platform, auth_ref) returns text`, which names the users for people, or null.
create or replace function workspaces.delete_credential(
  p_workspace_id uuid, p_auth_ref text, p_platform text, p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_secret_ref text;
  v_hook       text;
  v_users      text;
begin
  delete from workspaces.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform
  returning secret_ref into v_secret_ref;
  if not found then
    return false;
  end if;
  for v_hook in select molva.hooks('credential_users') loop
    execute format('select %s($1, $2, $3)', v_hook) into v_users using p_workspace_id, p_platform, p_auth_ref;
    if v_users is not null then
      raise exception 'The credential is still used by %: rotate to another first.', v_users
        using errcode = 'restrict_violation';
    end if;
  end loop;
  perform workspaces.forget_secret(p_workspace_id, v_secret_ref);
  perform workspaces.note_change(p_workspace_id, null, 'config_changed', p_operator, p_reason, jsonb_build_object(
    'object', 'credential', 'platform', p_platform, 'auth_ref', p_auth_ref, 'deleted', true), p_now);
  -- After the commit, bots with this credential start, stop or use the new token.
  perform pg_notify('molva_credentials', concat_ws('/', p_workspace_id, p_platform, p_auth_ref));
  return true;
end
$$;

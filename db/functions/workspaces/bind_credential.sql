-- Binds the name that channels use for a credential to its secret: `vault:<id>`, as keep_secret returns, or `env:<NAME>`. A
-- secret that was stored before is deleted. Returns whether there was a binding before.
create or replace function workspaces.bind_credential(
  p_workspace_id uuid, p_auth_ref text, p_platform text, p_secret_ref text,
  p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_old_ref text;
begin
  -- One writer per binding until the end of the transaction: two concurrent first ones would leave an unused secret.
  perform pg_advisory_xact_lock(
    hashtextextended('workspaces.credential_bindings ' || p_workspace_id || ' ' || p_platform || ' ' || p_auth_ref, 0));
  select secret_ref into v_old_ref from workspaces.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform;
  insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref, updated_at)
  values (p_workspace_id, p_auth_ref, p_platform, p_secret_ref, p_now)
  on conflict (workspace_id, auth_ref, platform) do update
    set secret_ref = excluded.secret_ref, rotated_at = p_now, updated_at = p_now;
  perform workspaces.forget_secret(p_workspace_id, v_old_ref);
  perform workspaces.note_change(p_workspace_id, null, 'config_changed', p_operator, p_reason, jsonb_build_object(
    'object', 'credential', 'platform', p_platform, 'auth_ref', p_auth_ref,
    case when v_old_ref is null then 'created' else 'rotated' end, true), p_now);
  -- After the commit, bots with this credential start, stop or use the new token.
  perform pg_notify('molva_credentials', concat_ws('/', p_workspace_id, p_platform, p_auth_ref));
  return v_old_ref is not null;
end
$$;

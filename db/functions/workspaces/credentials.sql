-- Binds the name that channels use for a credential to where its secret is: `vault:<id>`, as keep_secret answers, or
-- `env:<NAME>`. A secret that was stored before is deleted. Answers whether there was a binding before.
create or replace function workspaces.bind_credential(
  p_workspace_id uuid, p_auth_ref text, p_platform text, p_secret_ref text,
  p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_old_ref text;
begin
  -- Until the end of the transaction, one writer per binding: two first ones would leave a secret behind.
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
  -- Bots that speak with it begin, stop or take the new token when this is committed.
  perform pg_notify('molva_credentials', concat_ws('/', p_workspace_id, p_platform, p_auth_ref));
  return v_old_ref is not null;
end
$$;

-- Answers whether there was one, and refuses while somebody uses it: each module may bring
-- `credential_users(workspace_id, platform, auth_ref) returns text`, who that is in words, or null.
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
  -- Bots that speak with it begin, stop or take the new token when this is committed.
  perform pg_notify('molva_credentials', concat_ws('/', p_workspace_id, p_platform, p_auth_ref));
  return true;
end
$$;

-- Stores an encrypted text, which was sealed for this id, and answers how rows refer to it.
create or replace function workspaces.keep_secret(
  p_workspace_id uuid, p_secret_id uuid, p_ciphertext text, p_now timestamptz default now()
) returns text
language sql as $$
  insert into workspaces.secrets (workspace_id, secret_id, ciphertext, created_at, updated_at)
  values (p_workspace_id, p_secret_id, p_ciphertext, p_now, p_now)
  returning 'vault:' || secret_id
$$;

create or replace function workspaces.forget_secret(p_workspace_id uuid, p_secret_ref text) returns void
language sql as $$
  delete from workspaces.secrets
  where workspace_id = p_workspace_id and 'vault:' || secret_id = p_secret_ref
$$;

-- Binds the name that channels use for a credential to where its secret is: `vault:<id>`, as keep_secret answers, or
-- `env:<NAME>`. A secret that was stored before is deleted. Answers whether there was a binding before.
create or replace function delivery.bind_credential(
  p_workspace_id uuid, p_auth_ref text, p_platform text, p_secret_ref text,
  p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_old_ref text;
begin
  -- Until the end of the transaction, one writer per binding: two first ones would leave a secret behind.
  perform pg_advisory_xact_lock(
    hashtextextended('delivery.credential_bindings ' || p_workspace_id || ' ' || p_platform || ' ' || p_auth_ref, 0));
  select secret_ref into v_old_ref from delivery.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform;
  insert into delivery.credential_bindings (workspace_id, auth_ref, platform, secret_ref, updated_at)
  values (p_workspace_id, p_auth_ref, p_platform, p_secret_ref, p_now)
  on conflict (workspace_id, auth_ref, platform) do update
    set secret_ref = excluded.secret_ref, rotated_at = p_now, updated_at = p_now;
  perform delivery.forget_secret(p_workspace_id, v_old_ref);
  perform delivery.note_change(p_workspace_id, null, 'config_changed', p_operator, p_reason, jsonb_build_object(
    'object', 'credential', 'platform', p_platform, 'auth_ref', p_auth_ref,
    case when v_old_ref is null then 'created' else 'rotated' end, true), p_now);
  return v_old_ref is not null;
end
$$;

-- Answers 'deleted', 'not_found', or 'in_use' when a channel still names it.
create or replace function delivery.delete_credential(
  p_workspace_id uuid, p_auth_ref text, p_platform text, p_operator text, p_reason text, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_secret_ref text;
begin
  select secret_ref into v_secret_ref from delivery.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform
  for update;
  if not found then
    return 'not_found';
  end if;
  if exists (
    select from delivery.channels c
    left join delivery.channel_auth a using (workspace_id, channel_id)
    where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
  ) then
    return 'in_use';
  end if;
  delete from delivery.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform;
  perform delivery.forget_secret(p_workspace_id, v_secret_ref);
  perform delivery.note_change(p_workspace_id, null, 'config_changed', p_operator, p_reason, jsonb_build_object(
    'object', 'credential', 'platform', p_platform, 'auth_ref', p_auth_ref, 'deleted', true), p_now);
  return 'deleted';
end
$$;

-- Stores an encrypted text, which was sealed for this id, and answers how rows refer to it.
create or replace function delivery.keep_secret(
  p_workspace_id uuid, p_secret_id uuid, p_ciphertext text, p_now timestamptz default now()
) returns text
language sql as $$
  insert into delivery.secrets (workspace_id, secret_id, ciphertext, created_at, updated_at)
  values (p_workspace_id, p_secret_id, p_ciphertext, p_now, p_now)
  returning 'vault:' || secret_id
$$;

create or replace function delivery.forget_secret(p_workspace_id uuid, p_secret_ref text) returns void
language sql as $$
  delete from delivery.secrets
  where workspace_id = p_workspace_id and 'vault:' || secret_id = p_secret_ref
$$;

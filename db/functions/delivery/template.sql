-- Versions of templates. One version of each may be active: it is the one that new posts are written by.

-- The active version and the zone in which its dates are written, or null.
create or replace function delivery.active_template(p_workspace_id uuid, p_template_id text) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', t.template_id, 'version', t.version, 'body', t.body, 'defaults', t.defaults,
                            'timezone', w.timezone)
  from delivery.templates t
  join workspaces.workspaces w using (workspace_id)
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active
$$;

-- Stores a new version under the next number. Two savers get two numbers: the second waits for the first.
create or replace function delivery.save_template(
  p_workspace_id uuid, p_template_id text, p_body text, p_defaults jsonb, p_activate boolean,
  p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_version int;
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  insert into delivery.templates (workspace_id, template_id, version, body, defaults, created_at)
  select p_workspace_id, p_template_id, coalesce(max(t.version), 0) + 1, p_body, p_defaults, p_now
  from delivery.templates t
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id
  returning version into v_version;
  if p_activate then
    perform delivery.activate_template(p_workspace_id, p_template_id, v_version);
  end if;
  return v_version;
end
$$;

-- Makes a version the active one; false when there is no such version, and then nothing changes.
create or replace function delivery.activate_template(p_workspace_id uuid, p_template_id text, p_version int) returns boolean
language plpgsql as $$
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  if not exists (
    select from delivery.templates t
    where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.version = p_version
  ) then
    return false;
  end if;
  -- Two statements, the old one off first: the index that allows one active version is checked row by row.
  update delivery.templates t set active = false
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active and t.version <> p_version;
  update delivery.templates t set active = true
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.version = p_version and not t.active;
  return true;
end
$$;

-- Removes a template with all its versions, unless a channel is written by it.
create or replace function delivery.delete_template(p_workspace_id uuid, p_template_id text) returns text
language plpgsql as $$
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  if exists (
    select from delivery.channels c where c.workspace_id = p_workspace_id and c.template_ref = p_template_id
  ) then
    return 'in_use';
  end if;
  delete from delivery.templates t where t.workspace_id = p_workspace_id and t.template_id = p_template_id;
  return case when found then 'deleted' else 'not_found' end;
end
$$;

-- Until the end of the transaction, one writer per template.
create or replace function delivery.lock_template(p_workspace_id uuid, p_template_id text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('delivery.templates ' || p_workspace_id || ' ' || p_template_id, 0))
$$;

-- Stores a new version under the next number. Concurrent calls get different numbers: the second waits for the first.
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

-- The active version and the time zone for its dates, or null.
create or replace function delivery.active_template(p_workspace_id uuid, p_template_id text) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', t.template_id, 'version', t.version, 'body', t.body, 'defaults', t.defaults,
                            'timezone', w.timezone)
  from delivery.templates t
  join workspaces.workspaces w using (workspace_id)
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active
$$;

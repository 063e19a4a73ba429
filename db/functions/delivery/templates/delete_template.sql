-- Removes a template with all its versions, unless a channel uses it.
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

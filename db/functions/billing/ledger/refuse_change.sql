-- Records of the past do not change. Rows are deleted only with their whole workspace, after it.
create or replace function billing.refuse_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from workspaces.workspaces w where w.workspace_id = old.workspace_id) then
    return old;
  end if;
  raise exception '%.% is never changed: make a movement that corrects it', tg_table_schema, tg_table_name
    using errcode = 'restrict_violation';
end
$$;

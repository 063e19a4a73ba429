-- A trigger has no p_now: the time of the change is in the row, unless somebody changed it by hand.
create or replace function delivery.follow_channel() returns trigger
language plpgsql as $$
begin
  perform delivery.follow_window(new, w.timezone, case when new.updated_at <> old.updated_at then new.updated_at else now() end)
  from workspaces.workspaces w where w.workspace_id = new.workspace_id;
  return null;
end
$$;

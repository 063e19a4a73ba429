-- Channels without their own time zone use that of their workspace.
create or replace function delivery.follow_workspace() returns trigger
language plpgsql as $$
begin
  perform delivery.follow_window(c, new.timezone, case when new.updated_at <> old.updated_at then new.updated_at else now() end)
  from delivery.channels c
  where c.workspace_id = new.workspace_id and c.timezone is null and c.window_mode = 'windowed';
  return null;
end
$$;

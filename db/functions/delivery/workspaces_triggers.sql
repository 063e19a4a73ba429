create or replace trigger follow_window
  after update of timezone on workspaces.workspaces
  for each row
  when (old.timezone <> new.timezone)
  execute function delivery.follow_workspace();

create or replace trigger policy_check_workspace
  before insert or update of settings on workspaces.workspaces
  for each row execute function delivery.policy_check_workspace();

create or replace trigger retention_check_workspace
  before insert or update of settings on workspaces.workspaces
  for each row execute function delivery.retention_check_workspace();

create or replace trigger retention_end_workspace
  after delete on workspaces.workspaces
  for each row execute function delivery.retention_end_workspace();

create or replace trigger wake_dispatcher
  after update of status on workspaces.workspaces
  for each row
  when (new.status = 'active')
  execute function delivery.wake_dispatcher();

-- A channel's own zone is checked as a workspace's is.
create or replace trigger refuse_bad_timezone
  before insert or update of timezone on delivery.channels
  for each row
  when (new.timezone is not null)
  execute function workspaces.refuse_bad_timezone();

create or replace trigger check_channel_rules
  before insert or update of route_filter, tags, settings on delivery.channels
  for each row execute function delivery.check_channel_rules();

-- A channel's own zone is checked as a workspace's is.
create or replace trigger refuse_bad_timezone
  before insert or update of timezone on delivery.channels
  for each row
  when (new.timezone is not null)
  execute function workspaces.refuse_bad_timezone();

create or replace trigger follow_window
  after update of window_mode, posting_window, timezone on delivery.channels
  for each row
  when ((old.window_mode, old.posting_window, old.timezone) is distinct from (new.window_mode, new.posting_window, new.timezone))
  execute function delivery.follow_channel();

create or replace trigger refuse_bad_window
  before insert or update of window_mode, posting_window on delivery.channels
  for each row
  when (new.posting_window is not null or new.window_mode = 'windowed')
  execute function delivery.refuse_bad_window();

create or replace trigger retention_check_channel
  before insert or update of dedup_ttl_hours on delivery.channels
  for each row execute function delivery.retention_check_channel();

create or replace trigger keep_target_in_form
  before insert or update of target_id, platform on delivery.channels
  for each row execute function delivery.keep_target_in_form();

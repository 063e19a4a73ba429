create or replace trigger refuse_join_transition
  before update of status on accounts.join_tasks
  for each row
  when (old.status <> new.status and not accounts.join_transition_allowed(old.status, new.status))
  execute function accounts.refuse_join_transition();

create or replace trigger refuse_transition
  before update of status on accounts.queue
  for each row
  when (old.status <> new.status and not accounts.transition_allowed(old.status, new.status))
  execute function accounts.refuse_transition();

create or replace trigger refuse_birth
  before insert on accounts.queue
  for each row
  when (new.status <> 'pending' or new.attempts <> 0)
  execute function accounts.refuse_birth();

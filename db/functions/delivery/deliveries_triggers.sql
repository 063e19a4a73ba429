create or replace trigger refuse_transition
  before update of status on delivery.deliveries
  for each row
  when (old.status <> new.status and not delivery.transition_allowed(old.status, new.status))
  execute function delivery.refuse_transition();

create or replace trigger refuse_birth
  before insert on delivery.deliveries
  for each row
  when (new.status not in ('queued', 'deduped', 'failed_permanent') or new.attempt <> 0)
  execute function delivery.refuse_birth();

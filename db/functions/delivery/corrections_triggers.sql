create or replace trigger refuse_correction
  before update of status on delivery.corrections
  for each row
  when (old.status <> new.status and not delivery.correction_transition_allowed(old.status, new.status))
  execute function delivery.refuse_correction();

create or replace trigger refuse_correction_birth
  before insert on delivery.corrections
  for each row
  when (new.status not in ('queued', 'failed_permanent') or new.attempt <> 0)
  execute function delivery.refuse_correction();

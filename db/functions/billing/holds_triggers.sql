-- A hold's purpose never changes; its amount may only be lowered, and it ends once.
create or replace trigger refuse_change
  before update on billing.holds
  for each row
  when (old.state <> 'held' or new.amount > old.amount
    or (new.workspace_id, new.run, new.step, new.user_id, new.operation, new.charged, new.created_at)
      is distinct from (old.workspace_id, old.run, old.step, old.user_id, old.operation, old.charged, old.created_at))
  execute function billing.refuse_change();

create or replace trigger refuse_deletion
  before delete on billing.holds
  for each row
  execute function billing.refuse_change();

create or replace trigger refuse_truncate
  before truncate on billing.holds
  for each statement
  execute function billing.refuse_truncate();

create or replace trigger refuse_change
  before update or delete on billing.refunds
  for each row
  execute function billing.refuse_change();

create or replace trigger refuse_truncate
  before truncate on billing.refunds
  for each statement
  execute function billing.refuse_truncate();

create or replace trigger refuse_change
  before update or delete on audit.entries
  for each row
  execute function audit.refuse_change();

create or replace trigger refuse_truncate
  before truncate on audit.entries
  execute function audit.refuse_change();

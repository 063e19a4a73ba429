create or replace trigger refuse_shrinking
  before update on audit.chains
  for each row
  execute function audit.refuse_shrinking();

create or replace trigger refuse_delete
  before delete on audit.chains
  for each row
  execute function audit.refuse_change();

create or replace trigger refuse_truncate
  before truncate on audit.chains
  execute function audit.refuse_change();

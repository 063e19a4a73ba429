create or replace trigger refuse_bad_timezone
  before insert or update of timezone on accounts.accounts
  for each row
  execute function accounts.refuse_bad_timezone();

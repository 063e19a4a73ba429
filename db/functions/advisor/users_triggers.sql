create or replace trigger end_pro
  after update of plan on advisor.users
  for each row
  when (old.plan = 'pro' and new.plan = 'free')
  execute function advisor.end_pro();

-- The time zone decides an account's day and window; an invalid name would stop the planner for everybody.

create or replace function accounts.refuse_bad_timezone() returns trigger
language plpgsql as $$
declare
  v_fault text := workspaces.timezone_fault(new.timezone);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'accounts', table = tg_table_name,
      column = 'timezone', constraint = 'timezone_valid';
  end if;
  return new;
end
$$;

create or replace function workspaces.refuse_bad_timezone() returns trigger
language plpgsql as $$
declare
  v_fault text := workspaces.timezone_fault(new.timezone);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = tg_table_schema, table = tg_table_name,
      column = 'timezone', constraint = 'timezone_valid';
  end if;
  return new;
end
$$;

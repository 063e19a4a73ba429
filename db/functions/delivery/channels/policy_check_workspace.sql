create or replace function delivery.policy_check_workspace() returns trigger
language plpgsql as $$
declare
  v_fault text := delivery.policy_fault(new.settings);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', column = 'settings', constraint = 'policy_settings';
  end if;
  return new;
end
$$;

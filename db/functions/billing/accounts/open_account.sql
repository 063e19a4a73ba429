-- Creates a person's account, once, with the welcome bonus of the workspace. Returns the balance.
create or replace function billing.open_account(
  p_workspace_id uuid, p_user_id bigint, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_bonus int;
begin
  insert into billing.users (workspace_id, id, created_at) values (p_workspace_id, p_user_id, p_now)
  on conflict (workspace_id, id) do nothing;
  if found then
    v_bonus := (billing.settings_of(p_workspace_id)).welcome_tokens;
    if v_bonus > 0 then
      return billing.give(p_workspace_id, p_user_id, 'welcome', format('welcome/%s', p_user_id), 'welcome_bonus',
        p_bonuses => v_bonus, p_now => p_now);
    end if;
  end if;
  return (select u.balance from billing.users u where u.workspace_id = p_workspace_id and u.id = p_user_id);
end
$$;

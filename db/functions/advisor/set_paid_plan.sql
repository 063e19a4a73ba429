-- Somebody has paid for Pro until then; null or a time that has passed when it is not paid for any more. Pro that an operator set stays as
-- it is. Answers the plan and its end.
create or replace function advisor.set_paid_plan(
  p_workspace_id uuid, p_telegram_user_id bigint, p_until timestamptz, p_now timestamptz default now()
) returns table (plan text, plan_until timestamptz)
language plpgsql as $$
declare
  v_user advisor.users := advisor.lock_user(p_workspace_id, p_telegram_user_id, null, p_now);
  v_pays constant boolean := coalesce(p_until > p_now, false);
begin
  if not (v_user.plan = 'pro' and v_user.plan_until is null) and (v_user.plan = 'pro' or v_pays) then
    update advisor.users u set plan = case when v_pays then 'pro' else 'free' end, plan_until = case when v_pays then p_until end
    where u.workspace_id = p_workspace_id and u.id = v_user.id
    returning * into v_user;
  end if;
  return query select v_user.plan, v_user.plan_until;
end
$$;

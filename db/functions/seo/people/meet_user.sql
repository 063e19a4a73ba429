-- Somebody wrote to the bot. At the first message the person is created, with the referrer (if there is one and it is somebody else) and
-- an account with the welcome bonus. Returns whether that was now.
create or replace function seo.meet_user(
  p_workspace_id uuid, p_user_id bigint, p_username text, p_first_name text, p_last_name text, p_language text, p_referrer_id bigint,
  p_is_admin boolean, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_role text := case when p_is_admin then 'admin' else 'user' end;
begin
  insert into seo.users (workspace_id, id, username, first_name, last_name, language, role, referrer_id, created_at, last_activity)
  values (p_workspace_id, p_user_id, p_username, p_first_name, p_last_name, coalesce(p_language, 'ru'), v_role,
    (select r.id from seo.users r where r.workspace_id = p_workspace_id and r.id = p_referrer_id and r.id <> p_user_id),
    p_now, p_now)
  on conflict (workspace_id, id) do nothing;
  if found then
    perform billing.open_account(p_workspace_id, p_user_id, p_now);
    return true;
  end if;
  update seo.users u
  set username = p_username, first_name = p_first_name, last_name = p_last_name, role = v_role, last_activity = p_now,
      blocked_at = null
  where u.workspace_id = p_workspace_id and u.id = p_user_id;
  return false;
end
$$;

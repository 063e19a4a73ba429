
-- Cancels expired sign-ins, and deletes them a day later, with what they stored for accounts that were never created.
create or replace function accounts.forget_logins(p_now timestamptz default now()) returns void
language plpgsql as $$
begin
  update accounts.login_attempts set step = 'cancelled', code_hash = null, updated_at = p_now
  where step in ('code', 'password', 'qr') and expires_at <= p_now;
  delete from accounts.session_values v
  using accounts.login_attempts l
  where l.workspace_id = v.workspace_id and l.account_id = v.account_id
    and l.step = 'cancelled' and l.updated_at < p_now - interval '1 day'
    and not exists (select from accounts.accounts a where a.workspace_id = v.workspace_id and a.id = v.account_id)
    and not exists (select from accounts.login_attempts o
                    where o.workspace_id = v.workspace_id and o.account_id = v.account_id
                      and o.step in ('code', 'password', 'qr'));
  delete from accounts.proxies p
  using accounts.login_attempts l
  where l.workspace_id = p.workspace_id and l.account_id = p.account_id
    and l.step = 'cancelled' and l.updated_at < p_now - interval '1 day'
    and not exists (select from accounts.accounts a where a.workspace_id = p.workspace_id and a.id = p.account_id)
    and not exists (select from accounts.login_attempts o
                    where o.workspace_id = p.workspace_id and o.account_id = p.account_id
                      and o.step in ('code', 'password', 'qr'));
  delete from accounts.login_code_requests where window_ends_at <= p_now;
  delete from accounts.login_attempts
  where step in ('done', 'cancelled') and updated_at < p_now - interval '1 day';
end
$$;

-- What the account has published today. Uses history_of_account.
create or replace function accounts.published_today(
  p_workspace_id uuid, p_account_id uuid, p_timezone text, p_now timestamptz default now()
) returns int
language sql stable parallel safe as $$
  select count(*)::int from accounts.history
  where workspace_id = p_workspace_id and account_id = p_account_id and not deleted
    and published_at >= accounts.day_start(p_timezone, p_now) and published_at <= p_now
$$;

-- Subscriptions of active workspaces that we charge ourselves and whose period ends within the hour, unless the next one was charged
-- already. Uses subscriptions_ending.
create or replace function billing.renewals_due(
  p_provider text, p_limit int default 200, p_now timestamptz default now()
) returns table (workspace_id uuid, subscription_id bigint)
language sql stable as $$
  select s.workspace_id, s.id
  from billing.subscriptions s
  join workspaces.workspaces w on w.workspace_id = s.workspace_id and w.status = 'active'
  where s.status = 'active' and s.provider = p_provider and s.period_end <= p_now + interval '1 hour'
    and not exists (
      select from billing.payments p
      where p.workspace_id = s.workspace_id and p.subscription = s.id and p.renews = s.period_end)
  order by s.period_end
  limit p_limit
$$;

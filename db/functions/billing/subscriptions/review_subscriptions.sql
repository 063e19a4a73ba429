-- Handles subscriptions whose period is over: cancelled ones end; ones not paid within an hour are paused, and end if not paid in
-- three days. Those of a workspace that is not active wait: what was not charged in a pause has an hour after it, too. Returns how many
-- changed. Uses subscriptions_ending.
create or replace function billing.review_subscriptions(p_limit int default 500, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_due   record;
  v_count int := 0;
begin
  for v_due in
    select s.workspace_id, s.id,
      case when s.status = 'active' then 'paused' else 'expired' end as becomes
    from billing.subscriptions s
    join workspaces.workspaces w on w.workspace_id = s.workspace_id and w.status = 'active'
    where s.status <> 'expired' and (s.status <> 'active' or w.updated_at <= p_now - interval '1 hour') and s.period_end <= p_now - case s.status
      when 'cancelled' then interval '0' when 'active' then interval '1 hour' else interval '3 days' end
    order by s.period_end
    limit p_limit
    for update of s skip locked
  loop
    perform billing.change_subscription(v_due.workspace_id, v_due.id, v_due.becomes, p_now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;

-- Whether a period that ends then is the last one that was paid for. False without a subscription.
create or replace function billing.is_last_period(
  p_workspace_id uuid, p_subscription_id bigint, p_expires_at timestamptz
) returns boolean
language sql stable as $$
  select exists (
    select from billing.subscriptions s
    where s.workspace_id = p_workspace_id and s.id = p_subscription_id and s.period_end <= p_expires_at)
$$;

-- The only place, besides a charge, that changes a subscription's state; its payments show it as the specification requires.
-- Returns whether the state changed.
create or replace function billing.set_subscription(
  p_workspace_id uuid, p_subscription_id bigint, p_status text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_subscription billing.subscriptions;
begin
  update billing.subscriptions s set status = p_status, changed_at = p_now
  where s.workspace_id = p_workspace_id and s.id = p_subscription_id and s.status <> p_status and s.status <> 'expired'
  returning * into v_subscription;
  if not found then
    return false;
  end if;
  update billing.payments p set subscription_status = case p_status when 'expired' then 'cancelled' else p_status end
  where p.workspace_id = p_workspace_id and p.subscription = p_subscription_id and p.subscription_status is not null;
  insert into workspaces.events (workspace_id, id, ts, action, result, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_now, 'subscription_changed', 'ok', jsonb_build_object(
    'subscription_id', p_subscription_id, 'user_id', v_subscription.user_id, 'provider', v_subscription.provider,
    'product', v_subscription.product, 'status', p_status, 'until', v_subscription.period_end));
  return true;
end
$$;

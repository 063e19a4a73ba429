-- True if paid work is in progress or subscriptions are still charged; called before a workspace is deleted, see molva.hooks.
create or replace function billing.workspace_busy(p_workspace_id uuid) returns boolean
language sql stable as $$
  select exists (select from billing.holds h where h.workspace_id = p_workspace_id and h.state = 'held')
    or exists (select from billing.subscriptions s where s.workspace_id = p_workspace_id and s.status in ('active', 'paused'))
$$;

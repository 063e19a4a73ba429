-- An addressed delivery has ended: its product is told in the transaction that ended it. A trigger has no p_now: the time of
-- the change is in the row; a deleted row has none.
create or replace function delivery.tell_end() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- If the workspace is gone, there is nobody to tell.
    if old.status in ('queued', 'claimed', 'sending', 'retry')
       and exists (select from workspaces.workspaces w where w.workspace_id = old.workspace_id) then
      perform delivery.tell_product(old, 'channel_deleted', old.status = 'sending' or delivery.is_in_doubt(old),
        p_now => now());
    end if;
    delete from delivery.addressed_deliveries a
    where a.workspace_id = old.workspace_id and a.delivery_id = old.delivery_id;
  elsif tg_op = 'INSERT' then
    perform delivery.tell_product(new, delivery.end_of(new), false, p_now => new.updated_at);
  else
    -- If its last attempt looked it up, the outcome is not in doubt any more.
    perform delivery.tell_product(new, delivery.end_of(new), new.status <> 'sent' and (
      delivery.is_in_doubt(new) or (old.status <> 'sending' and delivery.is_in_doubt(old))),
      p_now => new.updated_at);
  end if;
  return null;
end
$$;

-- Whether a part of it may have arrived: after an unknown outcome, or when a series was begun.
create or replace function delivery.is_in_doubt(p_delivery delivery.deliveries) returns boolean
language sql immutable parallel safe as $$
  select coalesce(p_delivery.last_error ->> 'code' = 'outcome_unknown', false) or p_delivery.render_meta ? 'series_progress'
$$;

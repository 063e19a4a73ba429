-- Events were written: a message for each webhook that wants one is written with them. A trigger has no p_now: the time is the
-- event's.
create or replace function delivery.tell_webhooks() returns trigger
language plpgsql as $$
begin
  -- Most installations have none, and most events concern nobody: nothing else is looked at then.
  if not exists (select from delivery.webhooks w where w.enabled) then
    return null;
  end if;
  insert into delivery.webhook_messages (workspace_id, webhook_id, event_id, type, channel_id, payload, due_at, created_at)
  select e.workspace_id, w.webhook_id, e.id, t.type, e.channel_id,
    delivery.webhook_payload(t.type, e.workspace_id, e.id, e.ts, e.delivery_id, e.message_id, e.channel_id, e.attempt, e.error, e.meta),
    -- Events of one instant are microseconds apart to keep their order; their messages are due at once.
    date_trunc('milliseconds', e.ts), e.ts
  from fresh e
  join delivery.webhook_types() t using (action)
  -- "Offset 0" keeps these look-ups by key, whatever statistics the planner has.
  cross join lateral (
    select h.webhook_id from delivery.webhooks h
    where h.workspace_id = e.workspace_id and h.enabled
      and (h.types is null or t.type = any (h.types)) and (h.channel_ids is null or e.channel_id = any (h.channel_ids))
    offset 0
  ) w;
  if found then
    perform pg_notify('molva_webhooks', '');
  end if;
  return null;
end
$$;

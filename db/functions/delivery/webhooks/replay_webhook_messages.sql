-- Sends messages of a webhook again, under the ids they had: one, or all that failed since a time. The schedule begins anew. Those
-- that are under way are left alone. Returns how many.
create or replace function delivery.replay_webhook_messages(
  p_workspace_id uuid, p_webhook_id uuid, p_event_id uuid, p_failed_since timestamptz, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_count int;
begin
  update delivery.webhook_messages m set status = 'waiting', tries = 0, due_at = p_now, taken_by = null, ended_at = null
  where m.workspace_id = p_workspace_id and m.webhook_id = p_webhook_id
    and case when p_event_id is not null then m.event_id = p_event_id and (m.taken_by is null or m.due_at <= p_now)
             else m.status = 'failed' and m.created_at >= p_failed_since end;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('molva_webhooks', '');
  end if;
  return v_count;
end
$$;

-- `p_error` is null if the target got it. A failed letter is retried in every run for an hour.
create or replace function delivery.monitor_end_send(
  p_workspace_id uuid, p_alert_id uuid, p_target_id uuid, p_error text default null, p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_fingerprint text;
  v_created_at  timestamptz;
begin
  select a.alert_fingerprint, a.created_at into v_fingerprint, v_created_at
  from delivery.alerts a where a.workspace_id = p_workspace_id and a.alert_id = p_alert_id
  for update;
  update delivery.alert_sends
  set status = case when p_error is null then 'sent'
                    when v_created_at <= p_now - interval '1 hour' then 'given_up'
                    else 'pending' end,
      taken_until = null, last_error = p_error,
      ended_at = case when p_error is null or v_created_at <= p_now - interval '1 hour' then p_now end
  where workspace_id = p_workspace_id and alert_id = p_alert_id and target_id = p_target_id;
  update delivery.alert_targets
  set sent_count = sent_count + (p_error is null)::int,
      failed_count = failed_count + (p_error is not null)::int,
      last_error = p_error, updated_at = p_now
  where workspace_id = p_workspace_id and target_id = p_target_id;
  -- The first target that gets it starts the cooldown; the others belong to the same alert.
  if p_error is null and not exists (
    select from delivery.alert_sends
    where workspace_id = p_workspace_id and alert_id = p_alert_id and target_id <> p_target_id and status = 'sent'
  ) then
    perform delivery.monitor_receipt(p_workspace_id, v_fingerprint, p_now);
  end if;
end
$$;

-- Both phases in one call, as the dispatcher takes its work: slots for what waits, then what may be sent now.
create or replace function delivery.take_deliveries(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_now          timestamptz default now()
) returns table (
  delivery_id uuid, claim_token text, attempt int, message_id uuid, channel_id uuid, platform text, target_id text,
  send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, render_meta jsonb,
  last_error jsonb, created_at timestamptz, trace_id text
)
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
begin
  perform delivery.claim_deliveries(p_workspace_id, p_run_id, p_limit, p_now);
  return query select * from delivery.start_sending(p_workspace_id, p_run_id, p_limit, p_now);
end
$$;

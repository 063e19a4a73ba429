-- Stores a request to YooKassa with its idempotency key. A repeat returns the first body and the first key.
create or replace function billing.keep_request(
  p_workspace_id uuid, p_purpose text, p_payment_id bigint, p_body text, p_now timestamptz default now()
) returns billing.yookassa_requests
language plpgsql as $$
declare
  v_request billing.yookassa_requests;
begin
  insert into billing.yookassa_requests (workspace_id, purpose, payment_id, body, created_at)
  values (p_workspace_id, p_purpose, p_payment_id, p_body, p_now)
  on conflict (workspace_id, purpose) do nothing;
  select r.* into strict v_request from billing.yookassa_requests r
  where r.workspace_id = p_workspace_id and r.purpose = p_purpose;
  return v_request;
end
$$;

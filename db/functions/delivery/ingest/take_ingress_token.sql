-- Takes one token of the endpoint's bucket. Returns how long to wait; zero if the request may pass.
create or replace function delivery.take_ingress_token(
  p_workspace_id uuid, p_endpoint_id uuid, p_now timestamptz default now()
) returns interval
language plpgsql as $$
declare
  v_rps    double precision;
  v_burst  double precision;
  v_tokens double precision;
begin
  select ingress_rps into v_rps from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  if coalesce(v_rps, 0) = 0 then
    return interval '0';
  end if;
  v_burst := greatest(1, v_rps);
  insert into delivery.ingress_buckets (workspace_id, endpoint_id, tokens, refilled_at)
  values (p_workspace_id, p_endpoint_id, v_burst, p_now)
  on conflict (workspace_id, endpoint_id) do nothing;
  select least(v_burst, tokens + greatest(0, extract(epoch from p_now - refilled_at)) * v_rps) into v_tokens
  from delivery.ingress_buckets
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
  for update;
  update delivery.ingress_buckets
  set tokens = case when v_tokens >= 1 then v_tokens - 1 else v_tokens end,
      refilled_at = greatest(refilled_at, p_now)
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  return case when v_tokens >= 1 then interval '0' else make_interval(secs => (1 - v_tokens) / v_rps) end;
end
$$;

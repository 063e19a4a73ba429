-- Permission for requests after the first within one delivery (album parts, series, uploads). Asking renews the lease of the
-- sending process; no row if the token is not valid any more.
create or replace function delivery.take_turn(
  p_workspace_id uuid, p_delivery_id uuid, p_token text, p_now timestamptz default now()
) returns table (granted boolean, at timestamptz, cooling boolean)
language plpgsql as $$
declare
  v_channel_id uuid;
  v_turn       record;
begin
  select d.channel_id into v_channel_id from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending' and d.claim_token = p_token;
  if not found then
    return;
  end if;
  -- Groups, channels, deliveries: the common order of locks.
  select * into v_turn from delivery.channel_turn(p_workspace_id, v_channel_id, delivery.start_lead(), p_now);
  update delivery.deliveries d set sending_started_at = p_now
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending' and d.claim_token = p_token;
  if found then
    return query select v_turn.granted, v_turn.at, v_turn.cooling;
  end if;
end
$$;

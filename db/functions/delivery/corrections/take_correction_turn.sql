-- Permission for requests after the first within one correction, as take_turn for deliveries.
create or replace function delivery.take_correction_turn(
  p_workspace_id uuid, p_correction_id uuid, p_token text, p_now timestamptz default now()
) returns table (granted boolean, at timestamptz, cooling boolean)
language plpgsql as $$
declare
  v_channel_id uuid;
  v_turn       record;
begin
  select c.channel_id into v_channel_id from delivery.corrections c
  where c.workspace_id = p_workspace_id and c.correction_id = p_correction_id and c.status = 'sending' and c.claim_token = p_token;
  if not found then
    return;
  end if;
  select * into v_turn from delivery.channel_turn(p_workspace_id, v_channel_id, delivery.start_lead(), p_now);
  update delivery.corrections c set sending_started_at = p_now
  where c.workspace_id = p_workspace_id and c.correction_id = p_correction_id and c.status = 'sending' and c.claim_token = p_token;
  if found then
    return query select v_turn.granted, v_turn.at, v_turn.cooling;
  end if;
end
$$;

-- The delivery that is being sent with this claim token, with everything that its adapter needs; no row if it is not being
-- sent.
create or replace function delivery.delivery_in_hand(
  p_workspace_id uuid, p_delivery_id uuid, p_claim_token text
) returns setof delivery.started_delivery
language sql stable as $$
  select d.workspace_id, d.delivery_id, d.claim_token, d.attempt, d.message_id, d.channel_id, c.platform, c.target_id,
    c.send_mode, c.settings, delivery.secret_ref_of(c), c.unknown_policy, m.payload, d.rendered_text, d.render_meta, d.last_error,
    d.created_at, d.trace_id, d.sending_started_at, (1000 / nullif(c.rate_rps, 0))::float8,
    case when d.addressed then delivery.waited_for_until(d.workspace_id, d.delivery_id) end
  from delivery.deliveries d
  join delivery.channels c using (workspace_id, channel_id)
  join delivery.messages m using (workspace_id, message_id)
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending'
    and d.claim_token = p_claim_token
$$;

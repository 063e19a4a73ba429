-- Stores the outcomes of a batch of attempts. Each element of `p_outcomes`:
--   {"delivery_id", "token", "kind": "sent",    "provider_message_id", "meta"}
--   {"delivery_id", "token", "kind": "failed",  "error": {category, scope, code, message, retry_after_ms?}, "next_retry_at"?}
--   {"delivery_id", "token", "kind": "unknown", "error": {…}}   the request may have been accepted
-- "reconciled": "found" | "absent" says that an earlier unknown outcome was looked up in this attempt;
-- "late_ms" says how much later than usual the request may have arrived: the channel's next one is sent that much later;
-- "payload_ref" says where the provider's whole answer is stored; error.migrate_to is the new id of a chat that has moved.
-- Returns one row for each: its new state, or applied = false if the token is not valid any more, and then nothing was
-- changed.
create or replace function delivery.settle_deliveries(
  p_workspace_id uuid,
  p_outcomes     jsonb,
  p_now          timestamptz default now()
) returns setof delivery.settled_delivery
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  if not jsonb_path_exists(p_outcomes, '$[*] ? (!(@.kind == "sent") || exists (@.reconciled) || exists (@.late_ms))') then
    return query select * from delivery.settle_sent(p_workspace_id, p_outcomes, p_now);
    return;
  end if;
  if jsonb_path_exists(p_outcomes, '$[*] ? (!(@.kind == "sent" || @.kind == "failed" || @.kind == "unknown"))') then
    raise exception 'an outcome''s kind is sent, failed or unknown' using errcode = 'invalid_parameter_value';
  end if;
  return query select * from delivery.settle_mixed(p_workspace_id, p_outcomes, p_now);
end
$$;

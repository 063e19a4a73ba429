-- A message that cannot be processed must not block its chat for ever: after the third failure it is skipped.
create or replace function shopbot.fail_turn(
  p_workspace_id uuid, p_provider text, p_chat_id text, p_provider_message_id text, p_error text,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_row shopbot.bot_inbox;
begin
  update shopbot.bot_inbox
  set failures = failures + 1, processed_at = case when failures >= 2 then p_now end
  where workspace_id = p_workspace_id and provider = p_provider and chat_id = p_chat_id
    and provider_message_id = p_provider_message_id and processed_at is null
  returning * into v_row;
  if v_row.processed_at is null then
    return false;
  end if;
  insert into shopbot.bot_logs (
    workspace_id, ts, chat_id, inbound_provider_message_id, action, result, outcome, message_text, state_before,
    state_after, meta)
  values (p_workspace_id, p_now, p_chat_id, p_provider_message_id, 'bot_engine_processed', 'error', 'failed',
    coalesce(v_row.body ->> 'text', ''), 'default', 'default',
    jsonb_build_object('trace_id', v_row.trace_id, 'error', left(p_error, 500)));
  return true;
end
$$;

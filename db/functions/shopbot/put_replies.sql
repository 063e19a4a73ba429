-- Queues one answer per inbound message and chat; the first one stays. A caller that does not send them itself notifies the
-- senders.
create or replace function shopbot.put_replies(p_replies jsonb, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_put int;
begin
  insert into shopbot.bot_outbox (
    workspace_id, chat_id, inbound_provider_message_id, outbox_id, kind, text, compiled, callback_id, notification,
    about_chat_id, author, response_hash, trace_id, not_before, created_at)
  select r.workspace_id, r.chat_id, r.inbound, r.outbox_id, r.kind, r.text, r.compiled, r.callback_id, r.notification,
    r.about_chat_id, r.author, encode(sha256(convert_to(r.text || coalesce(r.compiled::text, ''), 'UTF8')), 'hex'), r.trace_id,
    p_now, p_now
  from rows from (jsonb_to_recordset(p_replies) as (
    workspace_id uuid, chat_id text, inbound text, outbox_id uuid, kind text, text text, compiled jsonb, callback_id text,
    notification text, about_chat_id text, author text, trace_id text)) with ordinality as r
  order by r.ordinality
  on conflict (workspace_id, chat_id, inbound_provider_message_id) do nothing;
  get diagnostics v_put = row_count;
  return v_put;
end
$$;

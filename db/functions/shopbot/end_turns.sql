-- Stores decisions: `p_turns` has one entry per message with its log, `p_chats` the new state of each chat, `p_replies` what is
-- to be sent. An inbound message that was answered already is not answered again.
create or replace function shopbot.end_turns(
  p_turns jsonb, p_chats jsonb, p_replies jsonb, p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  update shopbot.bot_inbox i
  set processed_at = p_now
  from jsonb_to_recordset(p_turns) as t (workspace_id uuid, provider text, chat_id text, provider_message_id text)
  where i.workspace_id = t.workspace_id and i.provider = t.provider and i.chat_id = t.chat_id
    and i.provider_message_id = t.provider_message_id and i.processed_at is null;

  insert into shopbot.bot_logs (
    workspace_id, id, ts, chat_id, inbound_provider_message_id, action, result, outcome, message_text, matched_rule_id,
    rule_version, state_before, state_after, response_preview, meta)
  select t.workspace_id, t.id, p_now, t.chat_id, t.provider_message_id, t.action, t.result, t.outcome, t.message_text,
    t.matched_rule_id, t.rule_version, t.state_before, t.state_after, t.response_preview, t.meta
  from rows from (jsonb_to_recordset(p_turns) as (
    workspace_id uuid, id uuid, chat_id text, provider_message_id text, action text, result text, outcome text,
    message_text text, matched_rule_id text, rule_version int, state_before text, state_after text,
    response_preview text, meta jsonb)) with ordinality as t
  order by t.ordinality;

  insert into shopbot.bot_state as s (workspace_id, chat_id, state, context, expires_at, updated_at)
  select c.workspace_id, c.chat_id, c.state, c.context, c.expires_at, p_now
  from jsonb_to_recordset(p_chats) as c (
    workspace_id uuid, chat_id text, state text, context jsonb, expires_at timestamptz)
  where c.state is not null
  on conflict (workspace_id, chat_id) do update
    set state = excluded.state, context = excluded.context, expires_at = excluded.expires_at, updated_at = p_now;

  update shopbot.bot_chats b
  set tokens = c.tokens, refilled_at = c.refilled_at, flooded = c.flooded, last_seen_at = p_now,
      user_id = coalesce(c.user_id, b.user_id), user_name = coalesce(c.user_name, b.user_name),
      called_at = case when c.state <> 'operator' then null when c.called then p_now else b.called_at end,
      reminders = case when c.called then 0 else b.reminders end
  from jsonb_to_recordset(p_chats) as c (
    workspace_id uuid, chat_id text, state text, tokens double precision, refilled_at timestamptz, flooded boolean,
    user_id text, user_name text, called boolean)
  where b.workspace_id = c.workspace_id and b.chat_id = c.chat_id;

  perform shopbot.put_replies(p_replies, p_now);
end
$$;

-- The gate in front of the engine: an update is stored once and is worked on after the commit.

-- `accepted`; `duplicate` when it came before; `in_group` when it was written in a group that is not the operators' own;
-- `no_bot` when the workspace has none. A chat's row is only ever inserted here, never changed: whoever answers the
-- chat holds that row, and the provider must not wait for it.
create or replace function shopbot.receive(
  p_workspace_id uuid, p_provider text, p_chat_id text, p_provider_message_id text, p_ts timestamptz, p_body jsonb,
  p_payload jsonb, p_trace_id text, p_in_group boolean default false, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_operators text;
begin
  select operators_chat_id into v_operators from shopbot.bots where workspace_id = p_workspace_id;
  if not found then
    return 'no_bot';
  elsif p_in_group and v_operators is distinct from p_chat_id then
    return 'in_group';
  end if;
  insert into shopbot.bot_chats (workspace_id, chat_id, first_seen_at, last_seen_at)
  values (p_workspace_id, p_chat_id, p_now, p_now)
  on conflict (workspace_id, chat_id) do nothing;
  insert into shopbot.bot_inbox (
    workspace_id, provider, chat_id, provider_message_id, ts, body, payload, trace_id, received_at)
  values (p_workspace_id, p_provider, p_chat_id, p_provider_message_id, p_ts, p_body, p_payload, p_trace_id, p_now)
  on conflict (workspace_id, provider, chat_id, provider_message_id) do nothing;
  if not found then
    return 'duplicate';
  end if;
  perform pg_notify('molva_shopbot', '');
  return 'accepted';
end
$$;

-- A customer corrected a message. While it still waits, the correction is what will be answered; after that it is too late.
create or replace function shopbot.correct(
  p_workspace_id uuid, p_provider text, p_chat_id text, p_provider_message_id text, p_text text
) returns boolean
language plpgsql as $$
begin
  update shopbot.bot_inbox
  set body = jsonb_set(body, '{text}', to_jsonb(p_text))
  where workspace_id = p_workspace_id and provider = p_provider and chat_id = p_chat_id
    and provider_message_id = p_provider_message_id and processed_at is null;
  return found;
end
$$;

-- The engine's turns. Both functions are called in one transaction, with the decision between them: everything about a
-- message commits, or nothing does.

-- Takes chats in which something waits, those that wait longest first, and gives their messages in order. The chats stay
-- locked until the end of the transaction, and those that another process holds are left to it.
create or replace function shopbot.take_turns(p_chats int default 50, p_per_chat int default 20) returns table (
  workspace_id uuid, provider text, chat_id text, provider_message_id text, ts timestamptz, body jsonb, trace_id text,
  revision bigint, state text, context jsonb, expires_at timestamptz, tokens double precision, refilled_at timestamptz,
  flooded boolean, about_chat_id text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_workspaces uuid[];
  v_chats      text[];
begin
  select array_agg(l.workspace_id), array_agg(l.chat_id) into v_workspaces, v_chats
  from (
    select c.workspace_id, c.chat_id
    from (
      select i.workspace_id, i.chat_id, min(i.ts) as since
      from shopbot.bot_inbox i
      where i.processed_at is null
      group by 1, 2
    ) w
    join shopbot.bots b using (workspace_id)
    join workspaces.workspaces s on s.workspace_id = w.workspace_id and s.status <> 'disabled'
    join shopbot.bot_chats c on c.workspace_id = w.workspace_id and c.chat_id = w.chat_id
    order by w.since
    limit p_chats
    for update of c skip locked
  ) l;

  -- A statement of its own: it sees what was committed while we waited for the locks.
  return query
  select i.workspace_id, i.provider, i.chat_id, i.provider_message_id, i.ts, i.body, i.trace_id,
    b.revision, coalesce(s.state, 'default'), coalesce(s.context, '{"turns": 0}'), s.expires_at,
    c.tokens, c.refilled_at, c.flooded,
    (select o.about_chat_id from shopbot.bot_outbox o
     where o.workspace_id = i.workspace_id and o.chat_id = i.chat_id and i.body ? 'replyTo'
       and o.provider_message_id = i.body ->> 'replyTo'
     limit 1)
  from unnest(v_workspaces, v_chats) as t (workspace_id, chat_id)
  join shopbot.bots b using (workspace_id)
  -- Fenced, so that a chat is found by its key: a table that grew since it was last counted would be walked for each of them.
  cross join lateral (
    select * from shopbot.bot_chats c where c.workspace_id = t.workspace_id and c.chat_id = t.chat_id offset 0) c
  left join lateral (
    select * from shopbot.bot_state s where s.workspace_id = t.workspace_id and s.chat_id = t.chat_id offset 0) s on true
  cross join lateral (
    select n.* from shopbot.bot_inbox n
    where n.workspace_id = t.workspace_id and n.chat_id = t.chat_id and n.processed_at is null
    order by n.ts, n.provider_seq, n.seq
    limit p_per_chat
  ) i
  order by i.workspace_id, i.chat_id, i.ts, i.provider_seq, i.seq;
end
$$;

-- Writes what was decided: `p_turns` one entry per message with its log, `p_chats` what each chat is like afterwards,
-- `p_replies` what is to be sent. An inbound message that was answered already is not answered again.
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

-- A message that cannot be worked on must not hold up its chat for ever: after the third failure it is put aside.
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

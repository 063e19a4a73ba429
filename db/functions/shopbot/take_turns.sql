-- Takes chats with waiting messages, those that wait longest first, and returns their messages in order. The chats stay locked
-- until the end of the transaction; chats that another process has locked are skipped. A chat waits while somebody replies there
-- to a message that may be one of ours whose id is not known yet: otherwise an operator who is quick would talk to nobody.
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
      having not bool_or(i.body ? 'replyTo' and shopbot.may_be_ours(i.workspace_id, i.chat_id, i.body ->> 'replyTo'))
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
  -- An optimisation fence, so that a chat is found by its key: with outdated statistics the table would be scanned for each.
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

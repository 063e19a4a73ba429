-- Customers who asked for a person and got no answer, each time another `answer_minutes` have passed, at most three times; and
-- those whose call has ended so: their chats are returned to the bot. The caller alerts people. Chats that are being answered
-- now are left to the next call.
create or replace function shopbot.take_silent_calls(p_limit int default 50, p_now timestamptz default now())
returns table (workspace_id uuid, chat_id text, user_name text, called_at timestamptz, reminders int, ended boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_call record;
begin
  for v_call in
    select c.workspace_id, c.chat_id, c.user_name, c.called_at, c.reminders,
      s.state is distinct from 'operator' as left_alone, s.expires_at <= p_now as expired
    from shopbot.bot_chats c
    join shopbot.bots b on b.workspace_id = c.workspace_id and b.enabled and b.operators_chat_id is not null
    join workspaces.workspaces w on w.workspace_id = c.workspace_id and w.status <> 'disabled'
    left join shopbot.bot_state s on s.workspace_id = c.workspace_id and s.chat_id = c.chat_id
    where c.called_at is not null
      and (s.expires_at <= p_now or s.state is distinct from 'operator'
        or c.reminders < 3 and p_now >= c.called_at + make_interval(mins =>
          coalesce((b.settings -> 'operators' ->> 'answer_minutes')::int, 10) * (c.reminders + 1)))
    order by c.called_at
    limit p_limit
    for update of c skip locked
  loop
    if v_call.left_alone then
      update shopbot.bot_chats set called_at = null
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
      continue;
    end if;
    if v_call.expired then
      update shopbot.bot_state
      set state = 'default', context = '{"turns": 0}', expires_at = null, updated_at = p_now
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
      update shopbot.bot_chats set called_at = null
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
    else
      update shopbot.bot_chats set reminders = reminders + 1
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
    end if;
    insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
    values (v_call.workspace_id, molva.uuidv7(p_now), p_now, 'operator_silent', 'error',
      jsonb_build_object('code', 'operator_silent', 'message', 'a customer called a person and nobody has answered'),
      jsonb_build_object('chat_id', v_call.chat_id, 'called_at', v_call.called_at, 'ended', v_call.expired is true));
    workspace_id := v_call.workspace_id;
    chat_id := v_call.chat_id;
    user_name := v_call.user_name;
    called_at := v_call.called_at;
    reminders := v_call.reminders + 1;
    ended := v_call.expired is true;
    return next;
  end loop;
end
$$;

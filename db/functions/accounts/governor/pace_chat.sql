-- The chat's slow mode: the one that was loaded with the account's chats, or one learnt from a refusal within a week, whichever
-- is longer.
create or replace function accounts.pace_chat(
  p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_now timestamptz default now()
) returns table (slow_mode_seconds int, slow_mode_until timestamptz, last_sent_at timestamptz)
language sql stable as $$
  select greatest(0, l.slow_mode_seconds, case when c.learned_at > p_now - interval '7 days' then c.slow_mode_seconds end),
    greatest(l.slow_mode_until, c.slow_mode_until),
    (select max(s.at) from accounts.pace_sends s
     where s.workspace_id = p_workspace_id and s.account_id = p_account_id and s.chat_id = p_chat_id
       and s.at > p_now - interval '25 hours')
  from (values (1)) as one (row)
  left join accounts.account_chats l
    on l.workspace_id = p_workspace_id and l.account_id = p_account_id and l.chat_id = p_chat_id
  left join accounts.pace_chats c
    on c.workspace_id = p_workspace_id and c.account_id = p_account_id and c.chat_id = p_chat_id
$$;

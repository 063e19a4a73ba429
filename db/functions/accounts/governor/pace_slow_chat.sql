-- Learns a chat's slow mode from a refusal: its length follows from the remaining wait and the last message there.
create or replace function accounts.pace_slow_chat(
  p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_seconds_left int, p_now timestamptz default now()
) returns void
language sql as $$
  insert into accounts.pace_chats
    (workspace_id, account_id, chat_id, slow_mode_seconds, slow_mode_until, learned_at)
  select p_workspace_id, p_account_id, p_chat_id,
    greatest(1, p_seconds_left + coalesce(ceil(extract(epoch from p_now - c.last_sent_at))::int, 0)),
    p_now + make_interval(secs => p_seconds_left), p_now
  from accounts.pace_chat(p_workspace_id, p_account_id, p_chat_id, p_now) c
  on conflict (workspace_id, account_id, chat_id) do update
    set slow_mode_seconds = excluded.slow_mode_seconds, slow_mode_until = excluded.slow_mode_until,
      learned_at = excluded.learned_at
$$;

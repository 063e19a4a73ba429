-- Telegram has spoken against the account as a whole, or against it in one chat. What it said about the account holds also when
-- the task is no longer the caller's; each function gives false then.

-- A flood wait: the task waits as `flood_wait`, the account is out of work until somebody switches it on again.
create or replace function accounts.flood_account(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_seconds int, p_words text, p_error jsonb,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task    accounts.queue;
  v_is_ours boolean;
  v_title   text;
begin
  update accounts.queue
  set status = 'flood_wait', claim_token = null, reason = 'flood_wait', last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token;
  v_is_ours := found;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  update accounts.accounts
  set is_active = false, stopped_code = 'flood_wait', stopped_at = p_now, last_error = p_words, flood_seconds = p_seconds,
    flood_until = greatest(flood_until, p_now + make_interval(secs => p_seconds)), updated_at = p_now
  where workspace_id = p_workspace_id and id = v_task.account_id
  returning title into v_title;
  perform accounts.note(p_workspace_id, 'account_flood_wait', v_task.account_id, v_task, p_error,
    jsonb_build_object('seconds', p_seconds, 'account', v_title), p_now);
  return v_is_ours;
end
$$;

-- The account can do nothing any more. Its task was not at fault and waits with the others for the account's return.
create or replace function accounts.stop_account(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_code text, p_words text, p_error jsonb,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task    accounts.queue;
  v_is_ours boolean;
  v_title   text;
begin
  update accounts.queue
  set status = 'pending', started_at = null, claim_token = null, reason = p_code, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token;
  v_is_ours := found;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  update accounts.accounts
  set is_active = false, stopped_code = p_code, stopped_at = p_now, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = v_task.account_id
  returning title into v_title;
  perform accounts.note(p_workspace_id, 'account_stopped', v_task.account_id, v_task, p_error,
    jsonb_build_object('code', p_code, 'account', v_title), p_now);
  return v_is_ours;
end
$$;

-- The account may not write in this chat: the link is switched off and everything that was to go through it ends.
create or replace function accounts.close_chat(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_code text, p_words text, p_error jsonb,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  if not accounts.fail_task(p_workspace_id, p_id, p_claim_token, p_code, p_words, p_error, p_now) then
    return false;
  end if;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  insert into accounts.account_chats
    (workspace_id, account_id, chat_id, can_write, stopped_code, last_error, created_at, updated_at)
  select p_workspace_id, v_task.account_id, v_task.chat_id, false, p_code, p_words, p_now, p_now
  where exists (select from accounts.chats where workspace_id = p_workspace_id and id = v_task.chat_id)
  on conflict (workspace_id, account_id, chat_id) do update
    set can_write = false, stopped_code = p_code, last_error = p_words, updated_at = p_now;
  perform accounts.note(p_workspace_id, 'account_chat_closed', v_task.account_id, v_task, p_error,
    jsonb_build_object('code', p_code), p_now);
  perform accounts.cancel_tasks(p_workspace_id, jsonb_build_object('account_id', v_task.account_id, 'chat_id', v_task.chat_id),
    p_code, p_words, null, p_now);
  return true;
end
$$;

-- The chat's slow mode: this chat waits, for this account; no try is counted.
create or replace function accounts.slow_chat(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_seconds int, p_words text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task  accounts.queue;
  v_until timestamptz := p_now + make_interval(secs => p_seconds);
begin
  if not accounts.postpone_task(p_workspace_id, p_id, p_claim_token, v_until, 'slow_mode', p_words, p_now) then
    return false;
  end if;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  insert into accounts.account_chats (workspace_id, account_id, chat_id, slow_mode_seconds, slow_mode_until, created_at, updated_at)
  select p_workspace_id, v_task.account_id, v_task.chat_id, p_seconds, v_until, p_now, p_now
  where exists (select from accounts.chats where workspace_id = p_workspace_id and id = v_task.chat_id)
  on conflict (workspace_id, account_id, chat_id) do update
    -- Telegram says what is left of the wait, so the longest known is nearest to the chat's own.
    set slow_mode_seconds = greatest(accounts.account_chats.slow_mode_seconds, p_seconds), slow_mode_until = v_until,
      updated_at = p_now;
  return true;
end
$$;

-- How a task that was taken ends. Each function gives false when the task is no longer the caller's: it was taken for stuck
-- meanwhile, and whoever has it now tells its end.

create or replace function accounts.complete_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_message_id text, p_url text, p_meta jsonb default '{}',
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'completed', completed_at = p_now, message_id = p_message_id, claim_token = null, reason = null,
    last_error = null, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  insert into accounts.history (workspace_id, queue_id, object_id, chat_id, account_id, published_at, message_id, url)
  values (p_workspace_id, p_id, v_task.object_id, v_task.chat_id, v_task.account_id, p_now, p_message_id, p_url);
  update accounts.chats
  set published_count = published_count + 1, last_published_at = p_now
  where workspace_id = p_workspace_id and id = v_task.chat_id;
  update accounts.accounts
  set last_used_at = p_now, last_error = null
  where workspace_id = p_workspace_id and id = v_task.account_id and is_active;
  perform accounts.note(p_workspace_id, 'account_sent', v_task.account_id, v_task, null,
    jsonb_build_object('provider_message_id', p_message_id, 'url', p_url) || p_meta, p_now);
  return true;
end
$$;

-- Back to the queue for later; no try is counted.
create or replace function accounts.postpone_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_until timestamptz, p_reason text, p_words text,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'pending', scheduled_time = p_until, started_at = null, claim_token = null, reason = p_reason,
    last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  perform accounts.note(p_workspace_id, 'account_postponed', v_task.account_id, v_task, null,
    jsonb_build_object('reason', p_reason, 'until', p_until), p_now);
  return true;
end
$$;

-- The end without a publication. `p_error` is what Telegram said, when it was asked at all: only then a try is counted.
create or replace function accounts.fail_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_reason text, p_words text, p_error jsonb default null,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'failed', claim_token = null, completed_at = p_now, reason = p_reason, last_error = p_words,
    attempts = attempts + case when p_error is null then 0 else 1 end, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  perform accounts.note(p_workspace_id, 'account_failed', v_task.account_id, v_task,
    coalesce(p_error, accounts.error_of(p_reason, p_words, 'delivery')), '{}', p_now);
  return true;
end
$$;

-- A try that ended badly for a while: again at p_retry_at, or the end when it was the last. Gives the status it led to.
create or replace function accounts.retry_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_reason text, p_words text, p_error jsonb, p_retry_at timestamptz,
  p_max_attempts int, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = case when attempts + 1 >= p_max_attempts then 'failed' else 'pending' end,
    attempts = attempts + 1, claim_token = null, started_at = null,
    scheduled_time = case when attempts + 1 >= p_max_attempts then scheduled_time else p_retry_at end,
    completed_at = case when attempts + 1 >= p_max_attempts then p_now end,
    reason = p_reason, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return null;
  end if;
  update accounts.accounts set last_error = p_words
  where workspace_id = p_workspace_id and id = v_task.account_id and is_active;
  perform accounts.note(p_workspace_id,
    case v_task.status when 'failed' then 'account_failed' else 'account_retry' end, v_task.account_id, v_task, p_error,
    jsonb_build_object('next_retry_at', case v_task.status when 'pending' then p_retry_at end), p_now);
  return v_task.status;
end
$$;

-- An error in the shape in which adapters give them.
create or replace function accounts.error_of(p_code text, p_message text, p_scope text) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object('code', p_code, 'message', p_message, 'category', 'PERMANENT', 'scope', p_scope)
$$;

-- The life of a call: amounts are held before the first request, more of them before each further one that may cost, and
-- what was really used takes their place in the end.

-- Holds amounts for a call. Answers {call_id}, or {refused} with one of
--   in_progress      the same request is being answered by somebody who is alive; `until` says how long at most
--   already_answered the same request was answered
--   budget           `cap` is the cap that it would pass; the refused call is written down
-- Only where there are caps must calls see what others hold, and so wait for each other: elsewhere nothing is held, which
-- `reserved_tokens = 0` says.
create or replace function llm.reserve_call(
  p_workspace_id uuid, p_request_id text, p_policy text, p_user_id text, p_kind text, p_prompt text, p_prompt_version int,
  p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_other  llm.calls;
  v_cap    jsonb;
  v_capped boolean := exists (select from llm.budgets b where b.workspace_id = p_workspace_id);
  v_id     uuid := molva.uuidv7(p_now);
begin
  if v_capped then
    perform llm.lock_books(p_workspace_id);
    perform llm.expire_calls(p_workspace_id, p_now);
  end if;
  -- Written first and looked for afterwards: looking first would take a moment of every call for the few that come twice.
  loop
    insert into llm.calls (workspace_id, call_id, request_id, policy, user_id, kind, prompt, prompt_version,
      reserved_usd, reserved_tokens, started_at, expires_at)
    values (p_workspace_id, v_id, p_request_id, p_policy, p_user_id, p_kind, p_prompt, p_prompt_version,
      case when v_capped then coalesce(p_usd, 0) else 0 end, case when v_capped then p_tokens else 0 end, p_now, p_now + p_lease)
    on conflict (workspace_id, request_id) where status in ('reserved', 'ok') do nothing;
    exit when found;
    select * into v_other from llm.calls c
    where c.workspace_id = p_workspace_id and c.request_id = p_request_id and c.status in ('reserved', 'ok');
    if v_other.status = 'ok' then
      return jsonb_build_object('refused', 'already_answered', 'call_id', v_other.call_id);
    elsif v_other.expires_at > p_now then
      return jsonb_build_object('refused', 'in_progress', 'call_id', v_other.call_id, 'until', v_other.expires_at);
    end if;
    perform llm.lock_books(p_workspace_id);
    perform llm.expire_calls(p_workspace_id, p_now);
  end loop;
  if not v_capped then
    return jsonb_build_object('call_id', v_id);
  end if;
  v_cap := llm.passed_cap(p_workspace_id, p_policy, p_user_id, p_now, p_usd, p_tokens, 1);
  if v_cap is not null then
    update llm.calls c set status = 'failed', code = 'budget_exceeded', cost_usd = 0, reserved_usd = 0, reserved_tokens = 0,
      expires_at = p_now, finished_at = p_now
    where c.workspace_id = p_workspace_id and c.call_id = v_id;
    return jsonb_build_object('refused', 'budget', 'cap', v_cap);
  end if;
  perform llm.book(p_workspace_id, p_policy, p_user_id, p_now, coalesce(p_usd, 0), p_tokens, 1);
  return jsonb_build_object('call_id', v_id);
end
$$;

-- The same for whoever works from a briefing: {refused: stale} when what it says of policy, prices and prompt has changed since.
create or replace function llm.reserve_briefed_call(
  p_stamp text, p_workspace_id uuid, p_request_id text, p_policy text, p_user_id text, p_kind text, p_prompt text,
  p_prompt_version int, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
begin
  if p_stamp is distinct from llm.briefing_stamp(p_workspace_id, p_policy, p_prompt) then
    return jsonb_build_object('refused', 'stale');
  end if;
  return llm.reserve_call(p_workspace_id, p_request_id, p_policy, p_user_id, p_kind, p_prompt, p_prompt_version, p_usd, p_tokens,
    p_lease, p_now);
end
$$;

-- Holds more for the same call and keeps it alive. Answers {}, or {refused}: `budget` as above, or `expired` when the call
-- was given up meanwhile.
create or replace function llm.extend_call(
  p_workspace_id uuid, p_call_id uuid, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_call llm.calls;
  v_cap  jsonb;
  v_more boolean;
begin
  perform llm.lock_books(p_workspace_id);
  select * into v_call from llm.calls c where c.workspace_id = p_workspace_id and c.call_id = p_call_id for update;
  if v_call.status is distinct from 'reserved' then
    return jsonb_build_object('refused', 'expired');
  end if;
  -- A call that was begun when there was no cap ends under none.
  v_more := p_tokens > 0 and v_call.reserved_tokens > 0;
  if v_more then
    v_cap := llm.passed_cap(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at, p_usd, p_tokens, 0);
    if v_cap is not null then
      return jsonb_build_object('refused', 'budget', 'cap', v_cap);
    end if;
    perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at, coalesce(p_usd, 0), p_tokens, 0);
  end if;
  update llm.calls c set
    reserved_usd = c.reserved_usd + case when v_more then coalesce(p_usd, 0) else 0 end,
    reserved_tokens = c.reserved_tokens + case when v_more then p_tokens else 0 end,
    expires_at = p_now + p_lease
  where c.workspace_id = p_workspace_id and c.call_id = p_call_id;
  return '{}';
end
$$;

-- Ends a call: `p_code` is null when it was answered. `p_requests` are its requests as rows of llm.requests; what they used
-- is spent, what was held is free. A call that had expired is still written down, since its money was spent. False when it
-- was settled before or does not exist.
create or replace function llm.settle_call(
  p_workspace_id uuid, p_call_id uuid, p_code text, p_requests jsonb, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_call llm.calls;
  v_sum  record;
  v_code text;
begin
  perform llm.lock_books(p_workspace_id);
  select * into v_call from llm.calls c where c.workspace_id = p_workspace_id and c.call_id = p_call_id for update;
  if not found or v_call.status in ('ok', 'failed') then
    return false;
  end if;
  insert into llm.requests (workspace_id, call_id, number, provider, model, purpose, outcome, http_status, prompt_tokens,
    completion_tokens, cached_tokens, cost_usd, estimated, latency_ms, error, started_at)
  select p_workspace_id, p_call_id, r.position, r.provider, r.model, r.purpose, r.outcome, r.http_status, r.prompt_tokens,
    r.completion_tokens, r.cached_tokens, r.cost_usd, r.estimated, r.latency_ms, r.error, r.started_at
  from rows from (
    jsonb_to_recordset(p_requests) as (provider text, model text, purpose text, outcome text, http_status int,
      prompt_tokens int, completion_tokens int, cached_tokens int, cost_usd numeric, estimated boolean, latency_ms int,
      error text, started_at timestamptz)
  ) with ordinality as r (provider, model, purpose, outcome, http_status, prompt_tokens, completion_tokens, cached_tokens,
    cost_usd, estimated, latency_ms, error, started_at, position);
  select sum(r.cost_usd) as usd, coalesce(sum(r.prompt_tokens), 0) as prompt, coalesce(sum(r.completion_tokens), 0) as completion
  into v_sum
  from jsonb_to_recordset(p_requests) as r (cost_usd numeric, prompt_tokens int, completion_tokens int);
  perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at,
    case v_call.status when 'reserved' then -v_call.reserved_usd else 0 end,
    case v_call.status when 'reserved' then -v_call.reserved_tokens else 0 end,
    case when v_call.status = 'reserved' and v_call.reserved_tokens > 0 then -1 else 0 end,
    coalesce(v_sum.usd, 0), v_sum.prompt + v_sum.completion, 1);
  -- Somebody else may have answered the same request after this call was given up.
  v_code := p_code;
  if v_code is null and v_call.status = 'expired' then
    perform from llm.calls o
    where o.workspace_id = p_workspace_id and o.request_id = v_call.request_id and o.status in ('reserved', 'ok');
    v_code := case when found then 'overtaken' end;
  end if;
  update llm.calls c set
    status = case when v_code is null then 'ok' else 'failed' end, code = v_code,
    cost_usd = v_sum.usd, prompt_tokens = v_sum.prompt, completion_tokens = v_sum.completion, finished_at = p_now
  where c.workspace_id = p_workspace_id and c.call_id = p_call_id;
  return true;
end
$$;

-- Gives up calls whose process has gone silent: what was held for them is free again. To be called under the lock of books.
create or replace function llm.expire_calls(p_workspace_id uuid, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_call  llm.calls;
  v_count int := 0;
begin
  for v_call in
    update llm.calls c set status = 'expired'
    where c.workspace_id = p_workspace_id and c.status = 'reserved' and c.expires_at <= p_now
    returning c.*
  loop
    if v_call.reserved_tokens > 0 then
      perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at,
        -v_call.reserved_usd, -v_call.reserved_tokens, -1);
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;

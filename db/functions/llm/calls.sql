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
  v_shared boolean := exists (select from llm.installation_caps);
  v_capped boolean := v_shared or exists (select from llm.budgets b where b.workspace_id = p_workspace_id);
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
  if v_shared then
    perform llm.lock_installation();
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
    if exists (select from llm.installation_caps) then
      perform llm.lock_installation();
    end if;
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

-- Ends calls, each {workspace_id, call_id, code, requests, at}: `code` is null when it was answered, `requests` are its
-- requests as rows of llm.requests. What they used is spent, what was held is free. A call that had expired is still written
-- down, since its money was spent. Answers those that were not settled before and exist.
create or replace function llm.settle_calls(p_calls jsonb) returns setof uuid
language plpgsql as $$
#variable_conflict use_column
declare
  v_workspace uuid;
  -- The rows are looked up by this list, whatever the planner knows of the table.
  v_ids       uuid[] := array(select (e ->> 'call_id')::uuid from jsonb_array_elements(p_calls) as e);
begin
  -- In one order, as everybody does.
  for v_workspace in select distinct (e ->> 'workspace_id')::uuid from jsonb_array_elements(p_calls) as e order by 1 loop
    perform llm.lock_books(v_workspace);
  end loop;

  return query
  with ended as materialized (
    select distinct on (e.workspace_id, e.call_id) e.*
    from jsonb_to_recordset(p_calls) as e (workspace_id uuid, call_id uuid, code text, requests jsonb, at timestamptz)
  ),
  held as materialized (
    select c.workspace_id, c.call_id, c.policy, c.user_id, c.request_id, c.started_at, c.status = 'reserved' as is_held,
      c.reserved_usd, c.reserved_tokens, e.code, e.requests, e.at
    from ended e
    join llm.calls c using (workspace_id, call_id)
    where c.call_id = any (v_ids) and c.status in ('reserved', 'expired')
    for update of c
  ),
  asked as materialized (
    select h.workspace_id, h.call_id, r.*
    from held h
    cross join lateral rows from (
      jsonb_to_recordset(h.requests) as (provider text, model text, purpose text, outcome text, http_status int,
        prompt_tokens int, completion_tokens int, cached_tokens int, cost_usd numeric, estimated boolean, latency_ms int,
        error text, started_at timestamptz)
    ) with ordinality as r (provider, model, purpose, outcome, http_status, prompt_tokens, completion_tokens, cached_tokens,
      cost_usd, estimated, latency_ms, error, started_at, number)
  ),
  written as (
    insert into llm.requests (workspace_id, call_id, number, provider, model, purpose, outcome, http_status, prompt_tokens,
      completion_tokens, cached_tokens, cost_usd, estimated, latency_ms, error, started_at)
    select a.workspace_id, a.call_id, a.number, a.provider, a.model, a.purpose, a.outcome, a.http_status, a.prompt_tokens,
      a.completion_tokens, a.cached_tokens, a.cost_usd, a.estimated, a.latency_ms, a.error, a.started_at
    from asked a
  ),
  summed as materialized (
    select h.*, s.usd, coalesce(s.prompt, 0) as prompt, coalesce(s.completion, 0) as completion
    from held h
    left join (
      select a.call_id, sum(a.cost_usd) as usd, sum(a.prompt_tokens) as prompt, sum(a.completion_tokens) as completion
      from asked a group by 1
    ) s using (call_id)
  ),
  booked as (
    insert into llm.spending as b (workspace_id, scope, subject, period, starts_on,
      reserved_usd, reserved_tokens, reserved_calls, spent_usd, spent_tokens, spent_calls)
    select s.workspace_id, o.scope, o.subject, o.period, o.starts_on,
      -coalesce(sum(s.reserved_usd) filter (where s.is_held), 0),
      -coalesce(sum(s.reserved_tokens) filter (where s.is_held), 0),
      -count(*) filter (where s.is_held and s.reserved_tokens > 0),
      coalesce(sum(s.usd), 0), sum(s.prompt + s.completion), count(*)
    from summed s
    cross join lateral llm.books_of(s.policy, s.user_id, s.started_at) o
    group by 1, 2, 3, 4, 5
    on conflict (workspace_id, scope, subject, period, starts_on) do update set
      reserved_usd = b.reserved_usd + excluded.reserved_usd,
      reserved_tokens = b.reserved_tokens + excluded.reserved_tokens,
      reserved_calls = b.reserved_calls + excluded.reserved_calls,
      spent_usd = b.spent_usd + excluded.spent_usd,
      spent_tokens = b.spent_tokens + excluded.spent_tokens,
      spent_calls = b.spent_calls + excluded.spent_calls
  ),
  judged as materialized (
    -- Somebody else may have answered the same request after this call was given up.
    select s.*, case when s.code is null and not s.is_held and exists (
      select from llm.calls o
      where o.workspace_id = s.workspace_id and o.request_id = s.request_id and o.status in ('reserved', 'ok')
    ) then 'overtaken' else s.code end as final_code
    from summed s
  )
  update llm.calls c set
    status = case when j.final_code is null then 'ok' else 'failed' end, code = j.final_code,
    cost_usd = j.usd, prompt_tokens = j.prompt, completion_tokens = j.completion, finished_at = j.at
  from judged j
  where c.workspace_id = j.workspace_id and c.call_id = any (v_ids) and c.call_id = j.call_id
  returning c.call_id;
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

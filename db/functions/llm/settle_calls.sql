-- Ends calls, each {workspace_id, call_id, code, requests, at}: `code` is null if it was answered, `requests` are its
-- requests as rows of llm.requests. Their usage is booked, the reservation released. An expired call is still recorded, since
-- its money was spent. Returns the calls that exist and were not settled before.
create or replace function llm.settle_calls(p_calls jsonb) returns setof uuid
language plpgsql as $$
#variable_conflict use_column
declare
  v_workspace uuid;
  -- Forces a lookup by this list, whatever the statistics of the table.
  v_ids       uuid[] := array(select (e ->> 'call_id')::uuid from jsonb_array_elements(p_calls) as e);
begin
  -- In the same order as everywhere, against deadlocks.
  for v_workspace in select distinct (e ->> 'workspace_id')::uuid from jsonb_array_elements(p_calls) as e order by 1 loop
    perform llm.lock_books(v_workspace);
  end loop;

  if jsonb_path_exists(p_calls, '$[*].requests[*] ? (@.outcome == "no_credits")') then
    perform llm.note_no_credits(p_calls);
  end if;

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
        error text, started_at timestamptz, images int)
    ) with ordinality as r (provider, model, purpose, outcome, http_status, prompt_tokens, completion_tokens, cached_tokens,
      cost_usd, estimated, latency_ms, error, started_at, images, number)
  ),
  written as (
    insert into llm.requests (workspace_id, call_id, number, provider, model, purpose, outcome, http_status, prompt_tokens,
      completion_tokens, cached_tokens, cost_usd, estimated, latency_ms, error, started_at, images)
    select a.workspace_id, a.call_id, a.number, a.provider, a.model, a.purpose, a.outcome, a.http_status, a.prompt_tokens,
      a.completion_tokens, a.cached_tokens, a.cost_usd, a.estimated, a.latency_ms, a.error, a.started_at, coalesce(a.images, 0)
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
    -- Another call may have answered the same request after this one expired.
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

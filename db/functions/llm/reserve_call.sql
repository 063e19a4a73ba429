-- Reserves amounts for a call. Returns {call_id}, or {refused} with one of
--   in_progress      the same request is being answered by a live process; `until` is the end of its lease
--   already_answered the same request was answered
--   budget           `cap` is the cap that it would exceed; the refused call is recorded
-- Only with caps must calls see the reservations of others, and so wait for each other: without caps nothing is reserved
-- (`reserved_tokens = 0`).
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
  -- Inserted first and searched on conflict: a search first would slow every call for the few repeated ones.
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

-- Cancels tasks that are still queued: `p_which` names the object, the account, the chat or the tasks themselves (`ids`);
-- with `manual` false, tasks that a person requested stay.
create or replace function accounts.cancel_tasks(
  p_workspace_id uuid, p_which jsonb, p_reason text, p_words text, p_by text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_task  accounts.queue;
  v_count int := 0;
begin
  if not p_which ?| array['object_id', 'account_id', 'chat_id', 'ids'] then
    raise exception 'cancel_tasks has to be told which tasks' using errcode = 'invalid_parameter_value';
  end if;
  for v_task in
    update accounts.queue
    set status = 'failed', reason = p_reason, last_error = p_words, completed_at = p_now, updated_at = p_now
    where workspace_id = p_workspace_id and status = 'pending'
      and (p_which ->> 'object_id' is null or object_id = (p_which ->> 'object_id')::uuid)
      and (p_which ->> 'account_id' is null or account_id = (p_which ->> 'account_id')::uuid)
      and (p_which ->> 'chat_id' is null or chat_id = (p_which ->> 'chat_id')::uuid)
      and (not p_which ? 'ids' or id in (select value::uuid from jsonb_array_elements_text(p_which -> 'ids')))
      and (origin <> 'manual' or coalesce((p_which ->> 'manual')::boolean, true))
    returning *
  loop
    v_count := v_count + 1;
    perform accounts.note(p_workspace_id, 'account_cancelled', v_task.account_id, v_task, null,
      jsonb_strip_nulls(jsonb_build_object('reason', p_reason, 'operator', p_by)), p_now);
  end loop;
  return v_count;
end
$$;

-- Stores an answer with all its effects, or nothing. Returns {finished}; {overtaken} if the person, the pet or the request is gone
-- or another attempt has taken over; {state} if the answer was made from an outdated state: make it again from this one.
create or replace function advisor.finish_question(
  p_workspace_id uuid, p_user_id uuid, p_request_id uuid, p_attempt int, p_version text, p_plans jsonb, p_pet_id uuid,
  p_response jsonb, p_session jsonb, p_interaction jsonb, p_offered boolean, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_user advisor.users;
begin
  select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for no key update;
  if not found then
    return jsonb_build_object('overtaken', true);
  end if;
  if p_pet_id is not null then
    perform from advisor.pets p
    where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_pet_id and p.archived_at is null;
    if not found then
      return jsonb_build_object('overtaken', true);
    end if;
  end if;
  if advisor.version_of(p_workspace_id, p_user_id, p_now) <> p_version then
    return jsonb_build_object('state', advisor.state_of(v_user, p_plans, p_now));
  end if;
  if not advisor.finish_request(p_workspace_id, p_request_id, p_attempt, p_pet_id, p_response, p_now) then
    return jsonb_build_object('overtaken', true);
  end if;
  insert into advisor.sessions (workspace_id, id, user_id, session_context, expires_at, updated_at)
  values (p_workspace_id, (p_session ->> 'id')::uuid, p_user_id, p_session -> 'context', (p_session ->> 'expires_at')::timestamptz, p_now)
  on conflict (workspace_id, user_id) do update set
    id = excluded.id, session_context = excluded.session_context, expires_at = excluded.expires_at, updated_at = excluded.updated_at;
  if p_interaction is not null then
    insert into advisor.interactions (workspace_id, id, user_id, pet_id, scenario, mode, topic, question_text, answer_text, summary, created_at)
    select p_workspace_id, molva.uuidv7(p_now), p_user_id, p_pet_id, i.scenario, i.mode, i.topic, i.question_text, i.answer_text, i.summary, p_now
    from jsonb_to_record(p_interaction) as i (scenario text, mode text, topic text, question_text text, answer_text text, summary text);
  end if;
  if p_offered then
    update advisor.users u set last_upsell_at = p_now where u.workspace_id = p_workspace_id and u.id = p_user_id;
  end if;
  return jsonb_build_object('finished', true);
end
$$;

-- A question from its beginning to its end: one call before the model is asked and one after it.

-- Which rows the state of a person is made of, and which day it is: another version is another state.
create or replace function advisor.version_of(p_workspace_id uuid, p_user_id uuid, p_now timestamptz default now()) returns text
language sql stable as $$
  select concat_ws('-', u.xmin, coalesce(l.xmin::text, 'none'), coalesce(s.xmin::text, 'none'), (p_now at time zone 'UTC')::date)
  from advisor.users u
  left join advisor.rate_limits l on l.workspace_id = u.workspace_id and l.user_id = u.id and l.window_end_at > p_now
  left join advisor.sessions s on s.workspace_id = u.workspace_id and s.user_id = u.id and s.expires_at > p_now
  where u.workspace_id = p_workspace_id and u.id = p_user_id
$$;

-- What an answer depends on besides the question: what is left of the quotas, the talk that is going on, the last offer.
create or replace function advisor.state_of(p_user advisor.users, p_plans jsonb, p_now timestamptz default now()) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'version', advisor.version_of(p_user.workspace_id, p_user.id, p_now),
    'quota', advisor.quota_of(p_user, p_plans, p_now),
    'last_upsell_at', p_user.last_upsell_at,
    'session', (
      select jsonb_build_object('id', t.id, 'context', t.session_context) from advisor.sessions t
      where t.workspace_id = p_user.workspace_id and t.user_id = p_user.id and t.expires_at > p_now))
$$;

-- What Pro remembers: the pet that is meant, else the newest, and the summaries of earlier questions that may be about it, oldest first.
create or replace function advisor.memory_of(p_workspace_id uuid, p_user_id uuid, p_pet_id uuid, p_summaries int) returns jsonb
language plpgsql stable as $$
declare
  v_pet advisor.pets;
begin
  select * into v_pet from advisor.pets p
  where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.archived_at is null and p.id = coalesce(p_pet_id, p.id)
  order by p.created_at desc, p.id desc limit 1;
  return jsonb_build_object(
    'pet', case when v_pet.id is not null then jsonb_build_object('id', v_pet.id, 'profile', v_pet.profile || jsonb_build_object(
      'type', v_pet.type, 'name', v_pet.name, 'sex', v_pet.sex, 'birth_date', v_pet.birth_date, 'age_text', v_pet.age_text,
      'breed', v_pet.breed)) end,
    'summaries', coalesce((
      select jsonb_agg(i.summary order by i.created_at) from (
        select summary, created_at from advisor.interactions
        where workspace_id = p_workspace_id and user_id = p_user_id
          and (v_pet.id is null or pet_id is null or pet_id = v_pet.id)
        order by created_at desc limit p_summaries) i
    ), '[]'));
end
$$;

-- Begins a request that is a question. Answers as advisor.begin_request, and when it has begun also with what is known:
-- {state, memory}, the latter for Pro only.
create or replace function advisor.begin_question(
  p_workspace_id uuid, p_request_id uuid, p_route text, p_payload_hash text, p_telegram_user_id bigint, p_trace text,
  p_locale text, p_pet_id uuid, p_wants jsonb, p_plans jsonb, p_stale interval, p_summaries int,
  p_client_message_id text default null, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_begun jsonb := advisor.begin_request(p_workspace_id, p_request_id, p_route, p_payload_hash, p_telegram_user_id, p_trace, p_locale,
    p_pet_id, p_wants, p_plans, p_stale, p_client_message_id, p_now);
  v_user  advisor.users;
begin
  if not v_begun ? 'begun' then
    return v_begun;
  end if;
  select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = (v_begun ->> 'user_id')::uuid;
  return v_begun || jsonb_build_object(
    'state', advisor.state_of(v_user, p_plans, p_now),
    'memory', case v_user.plan when 'pro' then advisor.memory_of(p_workspace_id, v_user.id, p_pet_id, p_summaries) end);
end
$$;

-- Keeps an answer with all that follows from it, or nothing. Answers {finished}; {overtaken} when the person, the pet or the request is
-- gone or somebody else has taken it over; {state} when the answer was made from another: then it is to be made anew from this one.
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

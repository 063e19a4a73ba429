-- Writes a run in state queued. `p_limits` are the most texts, images and keywords of an hour; null is no limit. Above one of them
-- nothing is written, and the answer has `limited` and the time from which on it would be taken.
create or replace function seo.begin_run(
  p_workspace_id uuid, p_user_id bigint, p_run jsonb, p_limits jsonb, p_now timestamptz default now()
) returns table (run_id uuid, repeated boolean, limited text, again_at timestamptz)
language plpgsql as $$
declare
  v_counted text;
begin
  perform seo.one_beginning(p_workspace_id, p_user_id);

  select r.id into run_id from seo.runs r
  where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.request_key = p_run ->> 'request_key';
  if found then
    repeated := true;
    return next;
    return;
  end if;
  repeated := false;

  foreach v_counted in array array['texts', 'images', 'keywords'] loop
    again_at := seo.room_again(p_workspace_id, p_user_id, v_counted, coalesce((p_run ->> v_counted)::int, 0),
      (p_limits ->> v_counted)::int, p_now);
    if again_at is not null then
      limited := v_counted;
      return next;
      return;
    end if;
  end loop;

  insert into seo.runs (workspace_id, user_id, kind, origin, request_key, project_id, category_id, connection_id, input, texts, images,
    keywords, created_at)
  select p_workspace_id, p_user_id, r.kind, coalesce(r.origin, 'person'), r.request_key, r.project_id, r.category_id, r.connection_id,
    r.input, coalesce(r.texts, 0), coalesce(r.images, 0), coalesce(r.keywords, 0), p_now
  from jsonb_to_record(p_run) as r (kind text, origin text, request_key text, project_id int, category_id int, connection_id int,
    input jsonb, texts int, images int, keywords int)
  returning id into run_id;
  return next;
end
$$;

-- One beginning at a time for each person, so that two at once do not both see room for one.
create or replace function seo.one_beginning(p_workspace_id uuid, p_user_id bigint) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('seo.begin_run ' || p_workspace_id || ' ' || p_user_id, 0))
$$;

-- When there will be room for so many more within an hour; null if there is room now. Work that the system could not do counts as
-- well, and so do regenerations, but what was refused is not written and does not. Uses runs_of_user, regenerations_of_user.
create or replace function seo.room_again(
  p_workspace_id uuid, p_user_id bigint, p_counted text, p_more int, p_limit int, p_now timestamptz
) returns timestamptz
language sql stable as $$
  with counted as (
    select r.created_at, case p_counted when 'texts' then r.texts when 'images' then r.images else r.keywords end as number
    from seo.runs r
    where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.created_at > p_now - interval '1 hour'
    union all
    select g.created_at, case p_counted when 'texts' then g.texts when 'images' then g.images else 0 end
    from seo.regenerations g
    where g.workspace_id = p_workspace_id and g.user_id = p_user_id and g.created_at > p_now - interval '1 hour'
  ), summed as (
    -- What is still counted once this run and all before it are older than an hour.
    select c.created_at, coalesce(sum(c.number) over (order by c.created_at desc), 0) - c.number as left_after
    from counted c where c.number > 0
  )
  select case
    when p_limit is null or p_more = 0 then null
    when (select coalesce(sum(c.number), 0) from counted c) + p_more <= p_limit then null
    else coalesce(
      (select min(s.created_at) from summed s where s.left_after + p_more <= p_limit) + interval '1 hour',
      p_now + interval '1 hour')
  end
$$;

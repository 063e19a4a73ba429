-- Begins the next round of a run whose text is being reviewed. `outcome`: 'begun'; 'not_reviewed' if somebody was faster; 'limited'
-- if the hour has no room for it, and then `limited` names the limit and `again_at` the time from which on it would be begun. Limits
-- as in seo.begin_run.
create or replace function seo.regenerate_run(
  p_workspace_id uuid, p_user_id bigint, p_run_id uuid, p_limits jsonb, p_now timestamptz default now(),
  out outcome text, out limited text, out again_at timestamptz
)
language plpgsql as $$
declare
  v_run     seo.runs;
  v_counted text;
begin
  perform seo.one_beginning(p_workspace_id, p_user_id);
  select * into v_run from seo.runs r
  where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.id = p_run_id and r.status = 'review'
  for update;
  if not found then
    outcome := 'not_reviewed';
    return;
  end if;

  foreach v_counted in array array['texts', 'images'] loop
    again_at := seo.room_again(p_workspace_id, p_user_id, v_counted, case v_counted when 'texts' then v_run.texts else v_run.images end,
      (p_limits ->> v_counted)::int, p_now);
    if again_at is not null then
      outcome := 'limited';
      limited := v_counted;
      return;
    end if;
  end loop;

  update seo.runs r set status = 'queued', round = r.round + 1, attempts = 0, reviewed_at = null, stage = null
  where r.workspace_id = p_workspace_id and r.id = p_run_id;
  insert into seo.regenerations (workspace_id, run_id, round, user_id, texts, images, created_at)
  values (p_workspace_id, p_run_id, v_run.round + 1, p_user_id, v_run.texts, v_run.images, p_now);
  outcome := 'begun';
end
$$;

-- Takes the next cluster of a category for a run. `outcome`: 'reserved', with the cluster; or 'not_found', 'no_phrases', 'no_articles'
-- (there are only product pages), 'all_reserved' (other runs work on all of them), 'all_excluded'. `reused`: all were used within seven days, this one the
-- longest ago. `choices` is the number of clusters that take turns: with fewer than three, more phrases are wanted. A run that asks
-- again gets the same cluster.
create or replace function seo.reserve_phrase(
  p_workspace_id uuid, p_user_id bigint, p_category_id int, p_content_type text, p_run text, p_except text[] default '{}',
  p_now timestamptz default now(), out outcome text, out cluster jsonb, out reused boolean, out choices int
)
language plpgsql as $$
declare
  -- Longer than a preview waits for its user.
  c_keeps    constant interval := interval '48 hours';
  v_keywords jsonb;
  v_mine     text;
  v_except   text[] := array(select seo.phrase_key(e) from unnest(p_except) e);
  v_open     int;
begin
  reused := false;
  choices := 0;
  select c.keywords into v_keywords
  from seo.categories c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
  where c.workspace_id = p_workspace_id and c.id = p_category_id and p.user_id = p_user_id
  for no key update of c;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  delete from seo.phrase_reservations r
  where r.workspace_id = p_workspace_id and r.category_id = p_category_id and r.expires_at <= p_now and r.run <> p_run;
  select r.phrase_key into v_mine from seo.phrase_reservations r
  where r.workspace_id = p_workspace_id and r.category_id = p_category_id and r.content_type = p_content_type and r.run = p_run;

  select count(*), count(*) filter (where seo.phrase_key(t.main_phrase) <> all (v_except)) into choices, v_open
  from seo.rotation_of(p_workspace_id, p_category_id, p_content_type, p_now) t;
  select t.cluster, t.used_at is not null into cluster, reused
  from seo.rotation_of(p_workspace_id, p_category_id, p_content_type, p_now) t
  where case when v_mine is not null then seo.phrase_key(t.main_phrase) = v_mine
    else seo.phrase_key(t.main_phrase) <> all (v_except) and not exists (
      select from seo.phrase_reservations r
      where r.workspace_id = p_workspace_id and r.category_id = p_category_id and r.content_type = p_content_type
        and r.phrase_key = seo.phrase_key(t.main_phrase)) end
  order by t.turn
  limit 1;
  if cluster is null then
    reused := false;
    outcome := case
      when jsonb_array_length(seo.clusters_of(v_keywords)) = 0 then 'no_phrases'
      when choices = 0 then 'no_articles'
      when v_open = 0 then 'all_excluded'
      else 'all_reserved' end;
    -- The run's own phrase was deleted meanwhile: it may ask for another one.
    delete from seo.phrase_reservations r
    where v_mine is not null and r.workspace_id = p_workspace_id and r.category_id = p_category_id
      and r.content_type = p_content_type and r.run = p_run;
    return;
  end if;
  insert into seo.phrase_reservations (workspace_id, category_id, content_type, phrase_key, run, reserved_at, expires_at)
  values (p_workspace_id, p_category_id, p_content_type, seo.phrase_key(cluster ->> 'main_phrase'), p_run, p_now, p_now + c_keeps)
  on conflict (workspace_id, category_id, content_type, phrase_key) do update set expires_at = excluded.expires_at;
  outcome := 'reserved';
end
$$;

-- Which of these runs are still worked on, reviewed or published: billing keeps their holds. See billing.runs_in_work.
create or replace function seo.runs_alive(p_workspace_id uuid, p_runs text[], p_now timestamptz) returns setof text
language sql stable as $$
  select r.id::text from seo.runs r
  where r.workspace_id = p_workspace_id and r.id::text = any (p_runs) and not seo.run_has_ended(r.status)
$$;

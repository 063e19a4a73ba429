-- Runs that nobody works on although somebody should: their process is gone, or their job was lost. Uses runs_under_way and
-- runs_not_begun.
create or replace function seo.abandoned_runs(p_now timestamptz default now())
returns table (workspace_id uuid, run_id uuid)
language sql stable as $$
  select r.workspace_id, r.id from seo.runs r where r.status = 'running' and r.leased_until < p_now
  union all
  select r.workspace_id, r.id from seo.runs r where r.status = 'queued' and r.created_at < p_now - interval '10 minutes'
$$;

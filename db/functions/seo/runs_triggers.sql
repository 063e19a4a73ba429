-- Changes of status that are allowed; everything else is a bug of the caller.
create or replace function seo.refuse_run_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a run cannot go from % to %', old.status, new.status using errcode = 'check_violation';
end
$$;

create or replace trigger refuse_transition
  before update on seo.runs
  for each row
  when (old.status <> new.status and not (old.status || '>' || new.status = any (array[
    'queued>running', 'queued>cancelled',
    'running>queued', 'running>review', 'running>publishing', 'running>done', 'running>failed', 'running>cancelled',
    'review>queued', 'review>publishing', 'review>done', 'review>cancelled', 'review>expired',
    'publishing>done', 'publishing>failed'])))
  execute function seo.refuse_run_transition();

-- Tells whoever shows the run to a person that there is something new.
create or replace function seo.tell_run() returns trigger
language plpgsql as $$
begin
  perform pg_notify('seo_runs', new.workspace_id || ' ' || new.id);
  return null;
end
$$;

create or replace trigger tell
  after update on seo.runs
  for each row
  when ((old.status, old.stage, old.round) is distinct from (new.status, new.stage, new.round))
  execute function seo.tell_run();

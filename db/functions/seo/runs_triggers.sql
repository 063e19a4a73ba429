create or replace trigger refuse_transition
  before update on seo.runs
  for each row
  when (old.status <> new.status and not (old.status || '>' || new.status = any (array[
    'queued>running', 'queued>cancelled',
    'running>queued', 'running>review', 'running>publishing', 'running>done', 'running>failed', 'running>cancelled',
    'review>queued', 'review>publishing', 'review>done', 'review>cancelled', 'review>expired',
    'publishing>done', 'publishing>failed', 'failed>review'])))
  execute function seo.refuse_run_transition();

create or replace trigger tell
  after update on seo.runs
  for each row
  when ((old.status, old.stage, old.round) is distinct from (new.status, new.stage, new.round))
  execute function seo.tell_run();

create or replace trigger clear
  after update on seo.runs
  for each row
  when (old.status <> new.status and seo.run_has_ended(new.status))
  execute function seo.clear_run();

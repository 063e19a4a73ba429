create or replace trigger tell
  after insert or update of changed_at, next_due_at on seo.platform_schedules
  for each statement
  execute function seo.tell_schedule();

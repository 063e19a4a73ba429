-- Adds a job from SQL; it exists only if the transaction commits. TypeScript uses `enqueue` of src/kernel/jobs, which also checks
-- the payload.
create or replace function molva.add_job(
  p_task text, p_payload jsonb, p_max_attempts int default null, p_run_at timestamptz default null
) returns void
language plpgsql as $$
begin
  perform graphile_worker.add_job(
    identifier => p_task, payload => p_payload::json, max_attempts => p_max_attempts, run_at => p_run_at);
end
$$;

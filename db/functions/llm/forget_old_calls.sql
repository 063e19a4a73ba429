-- Deletes calls that are too old for any report or cap.
create or replace function llm.forget_old_calls(p_keep interval default '400 days', p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_count int;
begin
  delete from llm.calls c where c.started_at < p_now - p_keep;
  get diagnostics v_count = row_count;
  delete from llm.spending s where s.starts_on < (p_now - p_keep)::date;
  return v_count;
end
$$;

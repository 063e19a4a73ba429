-- Records how a version of a prompt does; a later note replaces the earlier one. False if there is no such version.
create or replace function llm.note_prompt_quality(
  p_workspace_id uuid, p_name text, p_version int, p_runs int, p_success_rate numeric, p_avg_quality numeric,
  p_now timestamptz default now()
) returns boolean
language sql as $$
  with noted as (
    insert into llm.prompt_quality as q (workspace_id, name, version, runs, success_rate, avg_quality, noted_at)
    select p.workspace_id, p.name, p.version, p_runs, p_success_rate, p_avg_quality, p_now
    from llm.prompts p
    where p.workspace_id = p_workspace_id and p.name = p_name and p.version = p_version
    on conflict (workspace_id, name, version) do update set
      runs = excluded.runs, success_rate = excluded.success_rate, avg_quality = excluded.avg_quality, noted_at = excluded.noted_at
    returning q.version
  )
  select exists (select from noted)
$$;

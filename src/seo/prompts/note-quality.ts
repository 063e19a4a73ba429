import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { notePromptQuality } from "../../llm/index.ts";

/** Runs of this time say how a version does now. */
const window = "90 days";

/** Steps whose prompts shape the text, so that its score speaks of them. */
const writing = ["research", "outline", "write", "critique", "rewrite"];

/**
 * Notes for every version of a prompt how many runs asked by it, how many of them came to a result, and the mean score of their texts.
 * A run that its person stopped, or whose project was deleted, says nothing about a prompt; one whose site refused the finished text was
 * a success. Versions without runs stay as they are: without figures. Returns how many were noted.
 */
export async function notePromptQualities({
  sql,
  clock,
}: {
  readonly sql: Sql;
  readonly clock: Clock;
}): Promise<number> {
  const versions = await sql<
    {
      workspace_id: string;
      name: string;
      version: number;
      runs: number;
      success_rate: number;
      avg_quality: number | null;
    }[]
  >`
    with asked as (
      select c.workspace_id, c.prompt as name, c.prompt_version as version, r.id, r.result is not null as succeeded,
        max((r.result #>> '{score,total}')::numeric) filter (where s.name = any (${writing})) as score
      from seo.runs r
      join seo.run_steps s on s.workspace_id = r.workspace_id and s.run_id = r.id
      cross join lateral jsonb_array_elements(s.calls) k
      join llm.calls c on c.workspace_id = r.workspace_id and c.call_id::text = k ->> 'callId'
      where r.created_at > ${clock.now()}::timestamptz - ${window}::interval
        and (r.result is not null or (r.status = 'failed' and r.error ->> 'code' is distinct from 'deleted'))
      group by c.workspace_id, c.prompt, c.prompt_version, r.workspace_id, r.id)
    select workspace_id, name, version, count(*)::int as runs,
      round(100.0 * count(*) filter (where succeeded) / count(*), 2)::float8 as success_rate, round(avg(score), 1)::float8 as avg_quality
    from asked
    group by workspace_id, name, version`;
  let noted = 0;
  for (const { workspace_id, name, version, runs, success_rate, avg_quality } of versions) {
    const quality = { name, version, runs, successRate: success_rate, avgQuality: avg_quality };
    if (await notePromptQuality({ sql, clock }, workspace_id, quality)) noted += 1;
  }
  return noted;
}

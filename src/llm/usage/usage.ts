import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../workspaces/index.ts";

/** The fields by which usage may be grouped. */
export const groupings = ["day", "policy", "model", "user"] as const;
export type Grouping = (typeof groupings)[number];

/** A row has values for the fields it is grouped by; the others are null. */
export const usageRow = z
  .object({
    day: z.string().nullable(),
    policy: z.string().nullable(),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    user_id: z.string().nullable(),
    calls: z.int(),
    failed: z.int(),
    requests: z.int().describe("To providers: retries, repairs and fallbacks are several for one call"),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cached_tokens: z.int(),
    cost_usd: z.number(),
    estimated_usd: z.number().describe("The part of it that nobody told, such as of answers that were lost"),
    mean_latency_ms: z.int().nullable(),
  })
  .meta({ id: "LlmUsage" });
export type UsageRow = z.infer<typeof usageRow>;

export interface UsageQuery {
  readonly from: Date;
  readonly to: Date;
  readonly by: readonly Grouping[];
  readonly policy?: string | undefined;
  readonly userId?: string | undefined;
}

export function readUsage(
  sql: Sql,
  workspaceId: string,
  { from, to, by, policy, userId }: UsageQuery,
): Promise<UsageRow[]> {
  return sql<UsageRow[]>`
    select day::text, policy, provider, model, user_id, calls, failed, requests, prompt_tokens, completion_tokens, cached_tokens,
      cost_usd::float8, estimated_usd::float8, mean_latency_ms
    from llm.usage(${workspaceId}, ${from}, ${to}, ${[...by]}::text[], ${policy ?? null}, ${userId ?? null})`;
}

/** One call as operators see it. Questions and answers are not stored. */
export const callSchema = z
  .object({
    call_id: z.uuid(),
    request_id: z.string().nullable(),
    policy: z.string(),
    user_id: z.string().nullable(),
    kind: z.enum(["text", "object", "stream", "images"]),
    prompt: z.string(),
    prompt_version: z.int(),
    status: z.enum(["reserved", "ok", "failed", "expired"]),
    code: z.string().nullable(),
    cost_usd: z.number().nullable(),
    started_at: z.date(),
    finished_at: z.date().nullable(),
    requests: z.array(
      z.object({
        provider: z.string(),
        model: z.string(),
        purpose: z.enum(["answer", "repair"]),
        outcome: z.string(),
        http_status: z.int().nullable(),
        prompt_tokens: z.int(),
        completion_tokens: z.int(),
        cached_tokens: z.int(),
        images: z.int(),
        cost_usd: z.number().nullable(),
        estimated: z.boolean(),
        latency_ms: z.int(),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "LlmCall" });
export type CallView = z.infer<typeof callSchema>;

export interface CallQuery extends PageQuery {
  readonly policy?: string | undefined;
  readonly user_id?: string | undefined;
  readonly status?: CallView["status"] | undefined;
}

/** Calls, newest first. */
export async function callPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, policy, user_id, status }: CallQuery,
): Promise<Page<CallView>> {
  const from = idAfter(after);
  const rows = await sql<CallView[]>`
    select c.call_id, c.request_id, c.policy, c.user_id, c.kind, c.prompt, c.prompt_version, c.status, c.code,
      c.cost_usd::float8, c.started_at, c.finished_at,
      coalesce((
        select jsonb_agg(to_jsonb(r) - 'workspace_id' - 'call_id' - 'number' - 'started_at' order by r.number)
        from llm.requests r where r.workspace_id = c.workspace_id and r.call_id = c.call_id
      ), '[]') as requests
    from llm.calls c
    where c.workspace_id = ${workspaceId}
      ${from ? sql`and c.call_id < ${from}` : sql``}
      ${policy ? sql`and c.policy = ${policy}` : sql``}
      ${user_id ? sql`and c.user_id = ${user_id}` : sql``}
      ${status ? sql`and c.status = ${status}` : sql``}
    order by c.call_id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ call_id }) => [call_id]);
}

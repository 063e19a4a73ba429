import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

export const statsSchema = z.object({
  since: z.date(),
  messages: z.int(),
  chats: z.int(),
  answered: z.int(),
  refused: z.int(),
  fallback: z.int(),
  escalated: z.int(),
  relayed: z.int(),
  flooded: z.int(),
  errors: z.int(),
  rules: z.array(z.object({ rule_id: z.string(), intent: z.string(), count: z.int() })),
  answer_seconds: z
    .object({ median: z.number().nullable(), p95: z.number().nullable() })
    .describe("From receiving the update to the messenger's confirmation of the answer"),
});
export type Stats = z.output<typeof statsSchema>;

export async function botStats(sql: Sql, workspaceId: string, since: Date): Promise<Stats> {
  const [totals] = await sql`
    select count(*)::int as messages, count(distinct chat_id)::int as chats,
      count(*) filter (where outcome = 'answered')::int as answered,
      count(*) filter (where outcome = 'refused')::int as refused,
      count(*) filter (where outcome = 'fallback')::int as fallback,
      count(*) filter (where outcome = 'escalated')::int as escalated,
      count(*) filter (where outcome = 'relayed')::int as relayed,
      count(*) filter (where outcome = 'flooded')::int as flooded,
      count(*) filter (where result = 'error')::int as errors
    from shopbot.bot_logs
    where workspace_id = ${workspaceId} and ts > ${since} and action <> 'bot_operator_message'`;
  const rules = await sql`
    select matched_rule_id as rule_id, max(meta ->> 'intent') as intent, count(*)::int as count
    from shopbot.bot_logs
    where workspace_id = ${workspaceId} and ts > ${since} and matched_rule_id is not null
    group by 1 order by 3 desc, 1`;
  const [times] = await sql`
    select percentile_cont(0.5) within group (order by seconds) as median,
      percentile_cont(0.95) within group (order by seconds) as p95
    from (
      select extract(epoch from o.sent_at - i.received_at)::float8 as seconds
      from shopbot.bot_outbox o
      join shopbot.bot_inbox i
        on i.workspace_id = o.workspace_id and i.provider = 'max' and i.chat_id = o.chat_id
        and i.provider_message_id = o.inbound_provider_message_id
      where o.workspace_id = ${workspaceId} and o.created_at > ${since} and o.kind = 'reply' and o.status = 'sent'
    ) answers`;
  return statsSchema.parse({ since, ...totals, rules, answer_seconds: times });
}

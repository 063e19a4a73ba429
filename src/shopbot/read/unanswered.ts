import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { groupSimilar, type QuestionGroup } from "./similar.ts";

export const questionGroup = z.object({
  example: z.string(),
  count: z.int(),
  chats: z.int(),
  words: z.array(z.string()).describe("Words that most of them share: candidates for keywords"),
  last_at: z.date(),
  examples: z.array(z.string()),
});

/** How many questions are compared; the newest are enough to see what is missing. */
const compared = 2_000;

/** What customers asked and no rule knew, grouped by likeness. */
export async function unanswered(sql: Sql, workspaceId: string, since: Date): Promise<QuestionGroup[]> {
  const rows = await sql<{ text: string; chatId: string; at: Date }[]>`
    select l.message_text as text, l.chat_id as "chatId", l.ts as at
    from shopbot.bot_logs l
    where l.workspace_id = ${workspaceId} and l.ts > ${since} and l.outcome in ('fallback', 'escalated')
      and l.matched_rule_id is null and l.message_text <> ''
    order by l.ts desc limit ${compared}`;
  return groupSimilar(rows);
}

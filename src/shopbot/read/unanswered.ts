import type { Sql } from "../../kernel/db/index.ts";
import { groupSimilar, type QuestionGroup } from "./similar-questions.ts";

/** How many questions are compared, newest first. */
const compared = 2_000;

/** Questions without a matching rule, grouped by similarity. */
export async function unanswered(sql: Sql, workspaceId: string, since: Date): Promise<QuestionGroup[]> {
  const rows = await sql<{ text: string; chatId: string; at: Date }[]>`
    select l.message_text as text, l.chat_id as "chatId", l.ts as at
    from shopbot.bot_logs l
    where l.workspace_id = ${workspaceId} and l.ts > ${since} and l.outcome in ('fallback', 'escalated')
      and l.matched_rule_id is null and l.message_text <> ''
    order by l.ts desc limit ${compared}`;
  return groupSimilar(rows);
}

import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { botProblem } from "../admin/bot-problems.ts";

export const answerSchema = z.object({
  ok: z.boolean().describe("False: the answer could not be sent"),
  chat_id: z.string(),
  inbound_provider_message_id: z.string(),
  outcome: z.string().describe("What the bot made of the message"),
  response_text: z.string().nullable().describe("Null when the bot has nothing to say to it"),
  provider_message_id: z.string().nullable(),
  error: z.string().nullable(),
});
export type BotAnswer = z.output<typeof answerSchema>;

export interface Question {
  readonly workspaceId: string;
  readonly chatId: string;
  /** The provider's id of the customer's message. */
  readonly messageId: string;
}

interface Progress {
  readonly processed: boolean;
  readonly outcome: string | null;
  readonly answer: string | null;
  readonly answer_status: "waiting" | "sending" | "sent" | "failed" | null;
  readonly provider_message_id: string | null;
  readonly error: string | null;
}

const askEveryMs = 100;

/** Waits until the answer was sent or failed; throws with the reason after `waitMs`. */
export async function awaitAnswer(
  sql: Sql,
  question: Question,
  waitMs: number,
  leaving: AbortSignal,
): Promise<BotAnswer> {
  const until = performance.now() + waitMs;
  for (;;) {
    const progress = await progressOf(sql, question);
    if (!progress)
      throw problem("not_found", {
        detail: `No message ${question.messageId} of the chat ${question.chatId} has come.`,
      });
    const answer = answerIn(progress, question);
    if (answer) return answer;
    if (performance.now() >= until || leaving.aborted)
      throw botProblem("bot_answer_pending", { detail: whyPending(progress) });
    await delay(askEveryMs, undefined, { signal: leaving }).catch(() => {});
  }
}

async function progressOf(
  sql: Sql,
  { workspaceId, chatId, messageId }: Question,
): Promise<Progress | undefined> {
  const [row] = await sql<Progress[]>`
    select i.processed_at is not null as processed, l.outcome, l.response_preview as answer, o.status as answer_status,
      o.provider_message_id, coalesce(o.last_error ->> 'message', l.meta ->> 'error') as error
    from shopbot.bot_inbox i
    left join lateral (
      select * from shopbot.bot_logs l
      where l.workspace_id = i.workspace_id and l.chat_id = i.chat_id
        and l.inbound_provider_message_id = i.provider_message_id
      order by l.ts desc limit 1
    ) l on true
    left join shopbot.bot_outbox o
      on o.workspace_id = i.workspace_id and o.chat_id = i.chat_id
      and o.inbound_provider_message_id = i.provider_message_id
    where i.workspace_id = ${workspaceId} and i.chat_id = ${chatId} and i.provider_message_id = ${messageId}`;
  return row;
}

/** The final answer; undefined while it can still change. */
function answerIn(progress: Progress, { chatId, messageId }: Question): BotAnswer | undefined {
  const { processed, outcome, answer, answer_status, provider_message_id, error } = progress;
  if (!processed || answer_status === "waiting" || answer_status === "sending") return undefined;
  return {
    ok: answer_status !== "failed" && outcome !== "failed",
    chat_id: chatId,
    inbound_provider_message_id: messageId,
    outcome: outcome ?? "ignored",
    response_text: answer,
    provider_message_id,
    error,
  };
}

function whyPending({ processed, error }: Progress): string {
  if (!processed)
    return "Nobody has taken the message yet: see that a process with the role `bots` runs. It is answered once one does.";
  return `The answer is written and not sent yet${error ? `; the last attempt failed: ${error}` : ""}. It is tried again.`;
}

import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { answerMessage, type Step } from "../engine/answer-message.ts";
import type { Bot } from "../engine/bot.ts";
import { beginning, type Situation } from "../model/context.ts";
import { type Message, messageShape } from "../model/message.ts";
import { defileErrorTexts } from "../texts/index.ts";
import { shownText } from "../work/turn.ts";

const side = z.object({
  outcome: z.string(),
  rule: z.string().nullable(),
  state: z.string(),
  reply: z.string().nullable(),
});

/** A past message that the new rules would answer differently. */
export const replayChange = z.object({
  chat_id: z.string(),
  at: z.date(),
  text: z.string(),
  before: side,
  after: side,
});

export const replaySchema = z.object({
  messages: z.int(),
  chats: z.int(),
  changed: z.int(),
  gained: z.int().describe("Questions that no rule answered and the new rules would"),
  lost: z.int().describe("Questions that a rule answered and the new rules would not"),
  changes: z.array(replayChange),
});
export type Replay = z.output<typeof replaySchema>;

interface Past {
  readonly chatId: string;
  readonly at: Date;
  readonly message: Message;
}

/** Runs the newest past messages against both rule sets, each dialogue from its start, and returns the differences. */
export async function replay(
  sql: Sql,
  workspaceId: string,
  { current, next, last }: { current: Bot; next: Bot; last: number },
): Promise<Replay> {
  const rows = await sql`
    select chat_id, received_at, body from (
      select i.* from shopbot.bot_inbox i
      where i.workspace_id = ${workspaceId} and i.processed_at is not null
        and i.chat_id is distinct from ${current.operatorsChatId}
      order by i.received_at desc limit ${last}
    ) newest order by chat_id, ts, seq`;
  const past = rows.flatMap(({ chat_id, received_at, body }): Past[] => {
    const message = messageShape.safeParse(body);
    return message.success ? [{ chatId: chat_id, at: received_at, message: message.data }] : [];
  });
  return compare(past, current, next);
}

export function compare(past: readonly Past[], current: Bot, next: Bot): Replay {
  const before = situations();
  const after = situations();
  const words = defileErrorTexts[next.settings.language];
  const pairs = past.map(({ chatId, at, message }) => ({
    chat_id: chatId,
    at,
    text: shownText(message, words),
    old: before.step(current, chatId, message, at),
    new: after.step(next, chatId, message, at),
  }));
  const changes = pairs
    .map(({ old, new: fresh, ...rest }) => ({ ...rest, before: sideOf(old), after: sideOf(fresh) }))
    .filter((pair) => JSON.stringify(pair.before) !== JSON.stringify(pair.after));
  return {
    messages: past.length,
    chats: new Set(past.map(({ chatId }) => chatId)).size,
    changed: changes.length,
    gained: changes.filter((pair) => pair.before.rule === null && pair.after.rule !== null).length,
    lost: changes.filter((pair) => pair.before.rule !== null && pair.after.rule === null).length,
    changes,
  };
}

/** The situation of each chat during the replay. Operators are not simulated: only the bot's answers are compared. */
function situations() {
  const known = new Map<string, Situation>();
  return {
    step(bot: Bot, chatId: string, message: Message, now: Date): Step {
      const before = known.get(chatId) ?? beginning;
      const step = answerMessage({
        bot: { ...bot, enabled: true, operatorsChatId: null },
        before,
        message,
        now,
      });
      known.set(chatId, step.after);
      return step;
    },
  };
}

function sideOf({ outcome, rule, after, reply }: Step): z.output<typeof side> {
  return { outcome, rule: rule?.id ?? null, state: after.state, reply: reply?.text ?? null };
}

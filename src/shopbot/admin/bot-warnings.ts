import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { loadBot } from "../work/load-bot.ts";

export const botWarning = z.object({ code: z.string(), ru: z.string(), en: z.string() });
export type BotWarning = z.output<typeof botWarning>;

const operatorMissing: BotWarning = {
  code: "operator_missing",
  ru: "Правила зовут сотрудника, но группа сотрудников не задана: бот скажет покупателю, что позвать некого. Задайте её: molva bot set operators_chat_id=<чат>",
  en: "The rules call an operator, but no operators' group is set: the bot will tell customers that nobody can be called. Set it: molva bot set operators_chat_id=<chat>",
};

/** What the bot's owner should fix before customers notice. */
export async function botWarnings(sql: Sql | Transaction, workspaceId: string): Promise<BotWarning[]> {
  const bot = await loadBot(sql, workspaceId);
  if (!bot || bot.operatorsChatId !== null) return [];
  // A conversation with states is also handed to an operator when it gets too long.
  const calls =
    bot.settings.fallback.escalate_after !== null ||
    bot.rules.some(({ action, state }) => action === "escalate" || state !== null);
  return calls ? [operatorMissing] : [];
}

import { flowsOf, type Work } from "../../dialogs/index.ts";
import type { Asker, Backend } from "../backend/backend-client.ts";
import type { ProSales } from "../pro/pro-sales.ts";

export interface BotServices {
  readonly backend: Backend;
  newId(): string;
  readonly proContact: string | undefined;
  /** Absent when Pro is not sold here. */
  readonly pro: ProSales | undefined;
}

export const flow = flowsOf<BotServices>();

export function askerOf({
  userId,
  chatId,
  language,
}: Pick<Work<never, never>, "userId" | "chatId" | "language">): Asker {
  return { telegramUserId: Number(userId), telegramChatId: Number(chatId), locale: language };
}

/** What the flows may use. */
import { flowsOf, type Work } from "../../dialogs/index.ts";
import type { Asker, Backend } from "../backend/client.ts";

export interface BotServices {
  readonly backend: Backend;
  newId(): string;
  /** Where a person gets Pro; an operator gives it. */
  readonly proContact: string | undefined;
}

export const flow = flowsOf<BotServices>();

export function askerOf({
  userId,
  chatId,
  language,
}: Pick<Work<never, never>, "userId" | "chatId" | "language">): Asker {
  return { telegramUserId: Number(userId), telegramChatId: Number(chatId), locale: language };
}

import { cut } from "../../kernel/words/index.ts";
import type { SendError } from "../contract.ts";

/** The account does not know the chat: a chat's number alone is not enough for Telegram. */
export function chatUnknown(chatId: string): SendError {
  return {
    category: "PERMANENT",
    scope: "channel",
    code: "chat_unknown",
    message: `the account does not know the chat ${chatId}: it must be a member of it`,
  };
}

/** The link is invalid, so Telegram was not asked. */
export function badLink(link: string): SendError {
  return {
    category: "PERMANENT",
    scope: "channel",
    code: "chat_unknown",
    message: `"${cut(link, 100)}" is no link to a chat: t.me/name, @name or t.me/+invite is expected`,
  };
}

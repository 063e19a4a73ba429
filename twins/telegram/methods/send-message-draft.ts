import { chatOf, checkPosting } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Method } from "../call.ts";
import { integer, json, text } from "../params.ts";
import { checkText } from "../posting.ts";
import { formatText } from "../text/index.ts";

/** A draft shown to the person for half a minute at most; it is not a message and is not stored. */
export const sendMessageDraft: Method = ({ bot, params }, { store, context }) => {
  const formatted = formatText({
    text: text(params, "text"),
    parseMode: text(params, "parse_mode"),
    entities: json(params, "entities"),
  });
  const chat = chatOf(store, params);
  checkPosting(chat, bot, "text");
  if (chat.type !== "private") throw badRequest("TEXTDRAFT_PEER_INVALID");
  // The refusal is documented; its text is not.
  if (!integer(params, "draft_id")) throw badRequest("draft_id must be non-zero");
  checkText(formatted);
  context.bus.publish({
    type: "draft",
    provider: "telegram",
    chatId: String(chat.id),
    text: formatted.text,
  });
  return true;
};

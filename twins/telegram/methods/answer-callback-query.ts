import { badRequest } from "../api-error.ts";
import type { Method } from "../call.ts";
import { limits } from "../limits.ts";
import { flag, text } from "../params.ts";
import { codePoints } from "../text/index.ts";

/** A tap is answered once, by its bot, and not too late. */
export const answerCallbackQuery: Method = ({ bot, params }, { store, context }) => {
  const shown = text(params, "text");
  if (codePoints(shown) > limits.callbackAnswer) throw badRequest("MESSAGE_TOO_LONG");
  const query = store.callback(text(params, "callback_query_id"));
  const late = query && context.clock.now() - query.at > limits.callbackAnswerWithinMs;
  if (!query || late || query.answer || query.botId !== bot.id) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  const url = text(params, "url");
  query.answer = {
    ...(shown !== "" && { text: shown }),
    show_alert: flag(params, "show_alert"),
    ...(url !== "" && { url }),
  };
  store.changed();
  return true;
};

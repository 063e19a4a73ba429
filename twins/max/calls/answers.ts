import { z } from "zod";
import { newMessage } from "../content/new-message.ts";
import { refuse } from "../errors.ts";
import { read } from "../read.ts";
import type { Max } from "../twin.ts";
import { applyEdit } from "./messages.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `POST /answers`: a toast for the person who tapped, a change of the message with the button, or both. */
export async function answerCallback(max: Max, { bot, query, body }: ApiCall): Promise<Reply> {
  const { callback_id } = read(z.object({ callback_id: z.string().trim().min(1) }), query);
  const { message: edit, notification } = read(answer, body);
  if (!edit && !notification) throw refuse.payload("`message` or `notification` is required");
  const callback = max.store.world.callbacks.find(({ id }) => id === callback_id);
  if (!callback || callback.botId !== bot.user.user_id) throw refuse.notFound(`Callback ${callback_id}`);

  const message = max.store.message(callback.mid);
  if (edit && (!message || message.deleted)) {
    return { body: { success: false, message: "The message has been deleted" } };
  }
  if (edit && message) await applyEdit(max, bot, message, edit);
  callback.answers.push({ edited: Boolean(edit), ...(notification && { notification }) });
  max.store.changed();
  if (notification && message)
    max.context.bus.publish({
      type: "answered",
      provider: "max",
      chatId: String(message.chat_id),
      text: notification,
    });
  return { body: { success: true } };
}

const answer = z.object({ message: newMessage.nullish(), notification: z.string().nullish() });

import { chatOf, checkPresence, hasRight } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Deps, Method, MethodCall } from "../call.ts";
import { limits } from "../limits.ts";
import { type Chat, isBotAuthor, type Message } from "../model.ts";
import { integer, json } from "../params.ts";

const mostAtOnce = 100;

export const deleteMessage: Method = (call, deps) => {
  const chat = chatOf(deps.store, call.params);
  checkPresence(chat, call.bot);
  const id = integer(call.params, "message_id");
  if (id === undefined) throw badRequest("message identifier is not specified");
  const message = deps.store.messageIn(chat, id);
  if (!message) throw badRequest("message to delete not found");
  remove(call, deps, chat, message);
  return true;
};

/** Missing ids are skipped; one that may not be deleted refuses the whole call. */
export const deleteMessages: Method = (call, deps) => {
  const ids = json(call.params, "message_ids");
  if (!Array.isArray(ids) || ids.length === 0) throw badRequest("message identifiers are not specified");
  if (ids.length > mostAtOnce) throw badRequest("too many message identifiers specified");
  const chat = chatOf(deps.store, call.params);
  checkPresence(chat, call.bot);
  for (const id of ids) {
    const message = deps.store.messageIn(chat, Number(id));
    if (message) remove(call, deps, chat, message);
  }
  return true;
};

function remove(call: MethodCall, { store, context }: Deps, chat: Chat, message: Message): void {
  const tooOld = context.clock.now() - message.at > limits.deleteWithinMs;
  if (!mayDelete(call, chat, message, tooOld)) throw badRequest("message can't be deleted");
  store.removeMessage(chat, message.id);
  context.bus.publish({
    type: "removed",
    provider: "telegram",
    chatId: String(chat.id),
    messageId: String(message.id),
  });
}

/** After 48 hours deleting requires the right to delete messages, which does not exist in a chat with a person. */
function mayDelete({ bot }: MethodCall, chat: Chat, { author }: Message, tooOld: boolean): boolean {
  if (chat.type === "private") return !tooOld;
  const member = chat.members.find((each) => each.botId === bot.id);
  if (hasRight(member, "can_delete_messages")) return true;
  const own = isBotAuthor(author) && author.botId === bot.id;
  const mayPost = chat.type !== "channel" || hasRight(member, "can_post_messages");
  return own && mayPost && !tooOld;
}

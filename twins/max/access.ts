import { refuse } from "./errors.ts";
import type { Bot, Chat, Member, Permission } from "./model.ts";
import type { Store } from "./store.ts";

/** The chat, if this bot is in it. */
export function chatForBot(store: Store, bot: Bot, chatId: number): { chat: Chat; member: Member } {
  const chat = store.chat(chatId);
  if (!chat) throw refuse.noChat(chatId);
  const member = memberOf(chat, bot);
  if (member?.status === "active") return { chat, member };
  // For the bot, a dialog that was never started does not exist; from other chats it was removed.
  if (chat.type === "dialog" && !member) throw refuse.noChat(chatId);
  throw refuse.denied(`Bot is not a member of chat ${chatId}`);
}

/** The dialog, if this user has started this bot: a bot cannot write first. */
export function dialogForBot(store: Store, bot: Bot, userId: number): { chat: Chat; member: Member } {
  const chat = store.dialog(bot, userId);
  if (!chat) throw refuse.noDialog(userId);
  return chatForBot(store, bot, chat.chat_id);
}

export function demandWrite({ chat, member }: { chat: Chat; member: Member }): void {
  if (chat.suspended) throw refuse.suspended();
  if (chat.type === "channel") demandPermission(member, "write");
}

export function demandPermission(member: Member, permission: Permission): void {
  if (!member.is_admin) throw refuse.denied("Bot is not an administrator of the chat");
  if (!member.permissions.includes(permission)) throw refuse.denied(`Bot has no permission: ${permission}`);
}

export function memberOf(chat: Chat, bot: Bot): Member | undefined {
  return chat.members.find(({ botId }) => botId === bot.user.user_id);
}

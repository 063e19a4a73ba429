import { badRequest, forbidden } from "./api-error.ts";
import type { Bot, Chat, MediaKind, Member } from "./model.ts";
import { type Params, text } from "./params.ts";
import type { Store } from "./store.ts";

/** The content of a message, as rights name it. */
export type Content = "text" | MediaKind;

/** The right that a restricted member needs for each content, and its name in a refusal. */
const contentRights: Readonly<Record<Content, readonly [right: string, plural: string]>> = {
  text: ["can_send_messages", "text messages"],
  photo: ["can_send_photos", "photos"],
  video: ["can_send_videos", "videos"],
  animation: ["can_send_other_messages", "animations"],
  audio: ["can_send_audios", "music"],
  document: ["can_send_documents", "documents"],
  voice: ["can_send_voice_notes", "voice notes"],
};

/** The chat that a call names by id or @username. */
export function chatOf(store: Store, params: Params, field = "chat_id"): Chat {
  const given = text(params, field).trim();
  if (given === "") throw badRequest(`${field} is empty`);
  const chat = /^-?\d+$/.test(given)
    ? store.chatById(Number(given))
    : store.chatByUsername(given.replace(/^@/, ""));
  if (!chat) throw badRequest("chat not found");
  return chat;
}

export function memberOf(chat: Chat, bot: Bot): Member | undefined {
  return chat.members.find((member) => member.botId === bot.id);
}

/** Throws unless the bot is in the chat. */
export function checkPresence(chat: Chat, bot: Bot): Member {
  const member = memberOf(chat, bot);
  if (chat.migratedTo !== undefined) {
    throw badRequest("group chat was upgraded to a supergroup chat", { migrate_to_chat_id: chat.migratedTo });
  }
  if (chat.type === "private") {
    if (chat.deactivated) throw forbidden("user is deactivated");
    if (!member || member.status === "left") throw forbidden("bot can't initiate conversation with a user");
    if (member.status === "kicked") throw forbidden("bot was blocked by the user");
    return member;
  }
  if (member?.status === "kicked") throw forbidden(`bot was kicked from the ${chat.type} chat`);
  if (!member || member.status === "left") throw forbidden(`bot is not a member of the ${chat.type} chat`);
  return member;
}

/** Throws unless the bot may post this content here. */
export function checkPosting(chat: Chat, bot: Bot, content: Content): void {
  const member = checkPresence(chat, bot);
  if (chat.type === "channel") {
    if (!hasRight(member, "can_post_messages"))
      throw badRequest("need administrator rights in the channel chat");
    return;
  }
  if (member.status !== "restricted") return;
  const [right, plural] = contentRights[content];
  const allowed = member.rights.can_send_messages !== false && member.rights[right] !== false;
  if (!allowed) throw badRequest(`not enough rights to send ${plural} to the chat`);
}

/** Whether an administrator has a right: the creator has all, others those that were not removed. */
export function hasRight(member: Member | undefined, right: string): boolean {
  if (member?.status === "creator") return true;
  return member?.status === "administrator" && member.rights[right] !== false;
}

export function isAdministrator(member: Member | undefined): boolean {
  return member?.status === "creator" || member?.status === "administrator";
}

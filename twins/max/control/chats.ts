import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../../shared/index.ts";
import { memberOf } from "../access.ts";
import { type Chat, permissions } from "../model.ts";
import { showChat } from "../post.ts";
import type { Max } from "../twin.ts";
import { botNamed, botRef, chatNamed, idBody, join, person, userBody } from "./inputs.ts";

export function chatControls(app: FastifyInstance, max: Max): void {
  const { store, updates } = max;

  /** Creates the chat or updates it as described; a repeat changes nothing. */
  app.post("/_control/max/chats", async (request) => {
    const { user, members, ...wanted } = definedOnly(readInput(chatBody, request.body));
    if (wanted.type === "dialog" && !user) throw new InputError("user: a dialog needs the other side");
    const bots = members.map(({ bot }) => botNamed(max, bot).user.user_id);
    const described = { ...wanted, ...(wanted.link !== undefined && { link: slugOf(wanted.link) }) };
    const chat =
      findChat(max, described, { userId: user?.user_id, bots }) ??
      addChat(max, { title: null, ...described, ...(user && { user: person(max, user) }) });
    if (chat.type !== wanted.type) throw new InputError(`type: chat ${chat.chat_id} is a ${chat.type}`, 409);
    const { title, description, link } = described;
    Object.assign(chat, definedOnly({ title, description, link }));
    for (const member of members) setMember(max, chat, member);
    return shown(max, chat);
  });

  /**
   * Stops and resumes dialogs, removes bots, changes titles and rights; bots receive the updates as from the provider.
   */
  app.patch("/_control/max/chats/:id", async (request) => {
    const chat = chatNamed(max, request.params);
    const { title, suspended, members, remove_bots } = readInput(chatChange, request.body);
    if (suspended !== undefined && chat.type !== "dialog") {
      throw new InputError("suspended: only a dialog can be suspended");
    }
    if (suspended === true && !chat.suspended) {
      updates.tellChat(chat, "bot_stopped", { chat_id: chat.chat_id, user: chat.user });
    }
    chat.suspended = suspended ?? chat.suspended;
    if (title !== undefined && title !== chat.title) {
      chat.title = title;
      updates.tellChat(chat, "chat_title_changed", { chat_id: chat.chat_id, user: admin(max), title });
    }
    for (const member of members) setMember(max, chat, member);
    for (const ref of remove_bots) removeBot(max, chat, ref);
    return shown(max, chat);
  });

  /** Rarer events of a chat, sent to its bots as given here. */
  app.post("/_control/max/chats/:id/events", async (request) => {
    const chat = chatNamed(max, request.params);
    const { update_type, user: who, ...more } = readInput(eventBody, request.body);
    const user = who ? person(max, who) : (chat.user ?? admin(max));
    if (update_type === "user_added") join(chat, user);
    if (update_type === "user_removed") {
      chat.people = chat.people.filter(({ user_id }) => user_id !== user.user_id);
    }
    const ofGroup = update_type.startsWith("user_") ? { is_channel: chat.type === "channel" } : {};
    updates.tellChat(chat, update_type, { chat_id: chat.chat_id, user, ...ofGroup, ...more });
    store.changed();
    return { ok: true };
  });
}

export type NewChat = Pick<Chat, "type" | "title"> &
  Partial<Pick<Chat, "chat_id" | "description" | "link" | "user">>;

export function addChat(
  { store, context }: Max,
  { type, title, chat_id, description, link, user }: NewChat,
): Chat {
  const id = chat_id ?? (type === "dialog" ? store.newId() : -70_000_000_000 - store.newId());
  const chat: Chat = {
    chat_id: id,
    type,
    title,
    description: description ?? null,
    ...(link !== undefined && { link }),
    ...(user && { user }),
    suspended: false,
    members: [],
    people: [],
    last_event_time: context.clock.now(),
  };
  store.world.chats.push(chat);
  store.changed();
  return chat;
}

const memberBody = z.strictObject({
  bot: botRef,
  is_admin: z.boolean().optional(),
  permissions: z.array(z.enum(permissions)).optional(),
});

const chatBody = z.strictObject({
  chat_id: idBody.optional(),
  type: z.enum(["channel", "chat", "dialog"]),
  title: z.string().min(1).optional(),
  description: z.string().optional(),
  link: z.string().min(1).optional(),
  user: userBody.optional(),
  members: z.array(memberBody).default([]),
});

const chatChange = z.strictObject({
  title: z.string().min(1).optional(),
  suspended: z.boolean().optional(),
  members: z.array(memberBody).default([]),
  remove_bots: z.array(botRef).default([]),
});

const eventBody = z.strictObject({
  update_type: z.enum([
    "user_added",
    "user_removed",
    "dialog_muted",
    "dialog_unmuted",
    "dialog_cleared",
    "dialog_removed",
  ]),
  user: userBody.optional(),
  muted_until: z.number().optional(),
  inviter_id: z.int().optional(),
  admin_id: z.int().optional(),
});

/** Without an id a chat is found by its public name or its title, a dialog by its two sides. */
function findChat(
  { store }: Max,
  { chat_id, type, link, title }: Partial<NewChat>,
  dialog: { userId: number | undefined; bots: readonly number[] },
): Chat | undefined {
  if (chat_id !== undefined) return store.chat(chat_id);
  const alike = store.world.chats.filter((chat) => chat.type === type);
  if (type !== "dialog") {
    return alike.find((chat) => (link === undefined ? chat.title === title : chat.link === link));
  }
  return alike.find(
    ({ user, members }) =>
      user?.user_id === dialog.userId && members.some(({ botId }) => dialog.bots.includes(botId)),
  );
}

/** New bots of channels are administrators with every right by default. */
function setMember(
  max: Max,
  chat: Chat,
  { bot: ref, is_admin, permissions: given }: z.infer<typeof memberBody>,
) {
  const bot = botNamed(max, ref);
  const known = memberOf(chat, bot);
  const wasActive = known?.status === "active";
  const admitted = known ?? {
    botId: bot.user.user_id,
    status: "active",
    is_admin: chat.type === "channel",
    permissions: [...permissions],
    join_time: max.context.clock.now(),
  };
  if (!known) chat.members.push(admitted);
  admitted.status = "active";
  admitted.is_admin = is_admin ?? admitted.is_admin;
  admitted.permissions = given ?? admitted.permissions;
  max.store.changed();
  if (!wasActive && chat.type !== "dialog") tellBotMoved(max, chat, ref, "bot_added");
}

function removeBot(max: Max, chat: Chat, ref: string): void {
  const member = memberOf(chat, botNamed(max, ref));
  if (member?.status !== "active") throw new InputError(`remove_bots: ${ref} is not in the chat`);
  member.status = "removed";
  max.store.changed();
  if (chat.type !== "dialog") tellBotMoved(max, chat, ref, "bot_removed");
}

/** The bot itself is told, administrator or not: this is how it learns the ids of its chats. */
function tellBotMoved(max: Max, chat: Chat, ref: string, type: "bot_added" | "bot_removed"): void {
  max.updates.tell(botNamed(max, ref), type, {
    chat_id: chat.chat_id,
    user: admin(max),
    is_channel: chat.type === "channel",
  });
}

const admin = (max: Max) => person(max, { user_id: 1, first_name: "Администратор" });

function shown(max: Max, chat: Chat) {
  max.store.changed();
  showChat(max, chat);
  const { chat_id, type, title, link, user, suspended, members } = chat;
  return { chat_id, type, title, link: link ?? null, user: user ?? null, suspended, members };
}

/** A public name may be given as a full URL. */
const slugOf = (link: string) => link.replace(/^https?:\/\/max\.ru\//, "");
